import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { AsyncMemo } from '../services/async-memo'
import { nullOnTrackerError } from '../services/change-result'
import { toInstantOrNull } from '../services/instants'
import { createPropertyField, createTypeField } from '../services/property-fields'
import { readPages } from '../services/requests/pages'
import { createWorkItemType } from '../services/work-item-type'
import type { ItemProperty, ProcessField, StateCategory, TrackerProcess, WorkItemType } from '../tracker'
import { type FurtherField, listFurtherFields, toProcessField } from './further-fields'
import type { Deployment, JiraClient, WireField } from './jira-client'
import { findPointsFields, type PointsField } from './points-field'
import { readCreateScreen, type ScreenField } from './screen-fields'

const WireType = z.object({
  id: z.string(),
  name: z.string(),
  subtask: z.boolean().default(false),
  hierarchyLevel: z.int().optional(),
})
export type WireType = z.output<typeof WireType>

const WireStatus = z.object({ name: z.string(), statusCategory: z.object({ key: z.string() }).optional() })
const WireTypeStatuses = WireType.extend({ statuses: z.array(WireStatus) })
const WireProject = z.object({
  id: z.string(),
  style: z.string().optional(),
  simplified: z.boolean().optional(),
  issueTypes: z.array(WireType).default([]),
})
const WireNamed = z.object({ id: z.string(), name: z.string() })
const WireLinkTypes = z.object({
  issueLinkTypes: z.array(WireNamed.extend({ inward: z.string(), outward: z.string() })),
})
const WireSprint = z.object({
  id: z.int(),
  name: z.string(),
  state: z.string().optional(),
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
})
const WireBoards = z.object({ values: z.array(z.object({ id: z.int(), type: z.string().optional() })) })
const WireSprints = z.object({ values: z.array(WireSprint), isLast: z.boolean().default(true) })
export type WireSprint = z.output<typeof WireSprint>

/** The IDs of fields that differ from site to site; null if the site does not have them. */
export interface CustomFields {
  points: PointsField[]
  sprint: string | null
  epicLink: string | null
  epicName: string | null
  flagged: string | null
}

/** What reading issues needs. */
export interface SiteFields {
  deployment: Deployment
  custom: CustomFields
  priorities: { id: string; name: string }[]
  /** Those that can be set and that no property has. */
  further: FurtherField[]
}

export interface Metadata extends SiteFields {
  types: WireType[]
  statuses: Map<string, WorkItemType['states']>
  projectId: string
  /** Whether the project has fields and screens of its own, which its team manages. */
  isTeamManaged: boolean
}

export type LinkType = z.output<typeof WireLinkTypes>['issueLinkTypes'][number]

/** The names of the fields. Those of sprints and points are the same for all sites, whose custom fields have other IDs. */
export const fieldNames = {
  title: 'summary',
  description: 'description',
  type: 'issuetype',
  state: 'status',
  assignee: 'assignee',
  labels: 'labels',
  priority: 'priority',
  sprint: 'sprint',
  points: 'points',
} as const

/** What the site says about the project: types, states, priorities, links and fields, cached for some minutes. */
export class SiteMetadata {
  readonly #fields: AsyncMemo<SiteFields>
  readonly #memo: AsyncMemo<Metadata>
  readonly #sprints: AsyncMemo<WireSprint[] | null>
  readonly #linkTypes: AsyncMemo<LinkType[]>
  /** By the IDs of the types. */
  readonly #screens = new Map<string, AsyncMemo<ScreenField[]>>()

  constructor(
    private readonly client: JiraClient,
    private readonly now: () => number,
  ) {
    const lifetime = this.#lifetime
    this.#fields = new AsyncMemo((signal) => this.#readSiteFields(signal), lifetime)
    this.#memo = new AsyncMemo((signal) => this.#read(signal), lifetime)
    this.#sprints = new AsyncMemo((signal) => this.#readSprints(signal), lifetime)
    this.#linkTypes = new AsyncMemo(
      async (signal) => (await client.get('/issueLinkType', {}, WireLinkTypes, signal)).issueLinkTypes,
      lifetime,
    )
  }

  get #lifetime() {
    return { ms: this.client.limits.processCacheMs, now: this.now }
  }

  get = (signal: AbortSignal): Promise<Metadata> => this.#memo.get(signal)

  /** The part that reading issues needs, with fewer requests. */
  forReading = (signal: AbortSignal): Promise<SiteFields> => this.#fields.get(signal)

  listLinkTypes = (signal: AbortSignal): Promise<LinkType[]> => this.#linkTypes.get(signal)

  /** The fields on the screen on which issues of a type are created; null if the token cannot read them. */
  async listCreateFields(typeId: string, signal: AbortSignal): Promise<ScreenField[] | null> {
    const read = (signal: AbortSignal) => readCreateScreen(typeId, this.client, signal)
    const memo = this.#screens.get(typeId) ?? new AsyncMemo(read, this.#lifetime)
    this.#screens.set(typeId, memo)
    return nullOnTrackerError(memo.get(signal))
  }

  /** Finds an entry of a list. If it is not in the cached one, the list is read again, because the entry may be new. */
  async findSprint(find: (all: readonly WireSprint[]) => WireSprint | undefined, signal: AbortSignal) {
    const read = async () => find((await this.listSprints(signal)) ?? []) ?? null
    return this.#findAgain(read, this.#sprints)
  }

  async findPriority(
    find: (all: SiteFields['priorities']) => SiteFields['priorities'][number] | null,
    signal: AbortSignal,
  ) {
    const read = async () => find((await this.forReading(signal)).priorities)
    return this.#findAgain(read, this.#fields)
  }

  async #findAgain<Found>(read: () => Promise<Found | null>, memo: AsyncMemo<unknown>): Promise<Found | null> {
    const found = await read()
    if (found !== null) return found
    memo.forget()
    return read()
  }

  /** The sprints of the boards of the project; null if the token cannot read them. */
  listSprints = (signal: AbortSignal): Promise<WireSprint[] | null> => this.#sprints.get(signal)

  async listIterations(signal: AbortSignal): Promise<TrackerProcess['iterations'] | null> {
    const sprints = await this.listSprints(signal)
    return (
      sprints?.map(({ name, startDate, endDate }) => ({
        path: name,
        startDate: toInstantOrNull(startDate),
        finishDate: toInstantOrNull(endDate),
      })) ?? null
    )
  }

  async describeProcess(signal: AbortSignal, parts: readonly string[]): Promise<TrackerProcess> {
    const metadata = await this.get(signal)
    const { projectId } = metadata
    const further = metadata.further.filter((field) => field.projectId === null || field.projectId === projectId)
    const fields = [...listFields(metadata).values(), createTypeField(fieldNames.type), ...further.map(toProcessField)]
    const names = { ...fieldNames, fields: fields.map(({ referenceName }) => referenceName) }
    const types = metadata.types.map(async (type): Promise<WorkItemType> => {
      const states = metadata.statuses.get(type.name) ?? []
      const common = createWorkItemType({ name: type.name, level: findLevel(type), states }, names)
      // The screens take a request for each type, so only a description of everything has them.
      const screen = parts.includes('categories') ? await this.listCreateFields(type.id, signal) : null
      return screen === null ? common : { ...common, requiredFields: listRequired(screen, metadata) }
    })
    return {
      types: await Promise.all(types),
      areaPaths: [],
      iterations: parts.includes('iterations') ? ((await this.listIterations(signal)) ?? []) : [],
      fields,
    }
  }

  /** The values that Jira offers for a field that no property has; null if it offers none. */
  async listAllowedValues(typeName: string, fieldId: string, signal: AbortSignal): Promise<string[] | null> {
    const { types, further } = await this.get(signal)
    const typeId = types.find(({ name }) => equalsIgnoringCase(name, typeName))?.id
    if (typeId === undefined || !further.some(({ id }) => id === fieldId)) return null
    // A version or a component may have been added since.
    this.#screens.get(typeId)?.forget()
    return (await this.listCreateFields(typeId, signal))?.find(({ id }) => id === fieldId)?.allowedValues ?? null
  }

  async #readSiteFields(signal: AbortSignal): Promise<SiteFields> {
    const deployment = await this.client.deployment(signal)
    const [fields, priorities] = await Promise.all([
      this.client.listFields(signal),
      this.client.get('/priority', {}, z.array(WireNamed), signal),
    ])
    const custom = findCustomFields(fields)
    const { points, sprint, epicLink, flagged } = custom
    const taken = [...points.map(({ id }) => id), sprint, epicLink, flagged]
    return { deployment, priorities, custom, further: listFurtherFields(fields, taken) }
  }

  async #read(signal: AbortSignal): Promise<Metadata> {
    const path = `/project/${encodeURIComponent(this.client.project.key)}`
    const [fields, project, statuses] = await Promise.all([
      this.forReading(signal),
      this.client.get(path, {}, WireProject, signal),
      this.client.get(`${path}/statuses`, {}, z.array(WireTypeStatuses), signal),
    ])
    return {
      ...fields,
      types: project.issueTypes.length > 0 ? project.issueTypes : statuses,
      statuses: new Map(statuses.map((type) => [type.name, type.statuses.map(mapStatus)])),
      projectId: project.id,
      isTeamManaged: project.style === 'next-gen' || (project.style === undefined && project.simplified === true),
    }
  }

  async #readSprints(signal: AbortSignal): Promise<WireSprint[] | null> {
    if ((await this.forReading(signal)).custom.sprint === null) return []
    const base = '/rest/agile/1.0/board'
    const read = async () => {
      const query = { projectKeyOrId: this.client.project.key, maxResults: 50 }
      const { values: boards } = await this.client.get(base, query, WireBoards, signal)
      const sprints = new Map<number, WireSprint>()
      for (const { id } of boards.filter(({ type }) => type !== 'kanban')) {
        const pages = readPages(async (startAt) => {
          const path = `${base}/${id}/sprint`
          const { values, isLast } = await this.client.get(path, { startAt: startAt ?? 0 }, WireSprints, signal)
          const next = isLast || values.length === 0 ? null : String(Number(startAt ?? 0) + values.length)
          return { entries: values, next }
        })
        for await (const page of pages) for (const sprint of page) sprints.set(sprint.id, sprint)
      }
      return [...sprints.values()]
    }
    return nullOnTrackerError(read())
  }
}

/** The fields that a new issue must have, by the names that people set them with. */
function listRequired(screen: readonly ScreenField[], { custom }: Pick<SiteFields, 'custom'>): string[] {
  const given = ['project', 'issuetype', 'parent', custom.epicLink]
  return screen.flatMap(({ id, isRequired }) => (isRequired && !given.includes(id) ? [toFieldName(id, custom)] : []))
}

export function toFieldName(id: string, { points, sprint }: CustomFields): string {
  if (id === sprint) return fieldNames.sprint
  return points.some((field) => field.id === id) ? fieldNames.points : id
}

const CATEGORIES: Record<string, StateCategory> = { new: 'Proposed', indeterminate: 'InProgress', done: 'Completed' }

export function findCategory(key: string | undefined): StateCategory | null {
  return CATEGORIES[key ?? ''] ?? null
}

function mapStatus({ name, statusCategory }: z.output<typeof WireStatus>): WorkItemType['states'][number] {
  return { name, category: findCategory(statusCategory?.key), color: null }
}

/** Jira counts from its requirements: 0 for stories, 1 for epics, -1 for subtasks. Data Center reports no levels. */
export function findLevel({ name, subtask, hierarchyLevel }: Omit<WireType, 'id'>): number {
  if (hierarchyLevel !== undefined) return hierarchyLevel + 1
  if (subtask) return 0
  return equalsIgnoringCase(name, 'Epic') ? 2 : 1
}

function findCustomFields(fields: readonly WireField[]): CustomFields {
  const byType = (name: string) => fields.find(({ schema }) => schema?.custom?.endsWith(`:${name}`))?.id ?? null
  const byName = (pattern: RegExp, type: string) =>
    fields.find(({ name, schema, custom }) => custom && pattern.test(name) && schema?.type === type)?.id ?? null
  return {
    points: findPointsFields(fields),
    sprint: byType('gh-sprint'),
    epicLink: byType('gh-epic-link'),
    epicName: byType('gh-epic-label'),
    flagged: byName(/^flagged$/i, 'array'),
  }
}

export function listFields({ custom }: Pick<SiteFields, 'custom'>): Map<ItemProperty, ProcessField> {
  const fields = [
    createPropertyField(fieldNames.title, 'title', { name: 'Summary' }),
    createPropertyField(fieldNames.state, 'state', { name: 'Status' }),
    createPropertyField(fieldNames.assignee, 'assignedTo'),
    createPropertyField(fieldNames.labels, 'tags'),
    createPropertyField(fieldNames.priority, 'priority'),
    createPropertyField(fieldNames.description, 'description', { isMarkdown: true }),
    ...(custom.sprint ? [createPropertyField(fieldNames.sprint, 'iterationPath', { name: 'Sprint' })] : []),
    ...(custom.points.length > 0
      ? [createPropertyField(fieldNames.points, 'storyPoints', { name: 'Story points' })]
      : []),
  ]
  return new Map(fields.map((field) => [field.property!, field]))
}
