import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { AsyncMemo } from '../services/async-memo'
import { nullOnTrackerError } from '../services/change-result'
import { toInstantOrNull } from '../services/instants'
import { createPropertyField, createTypeField } from '../services/property-fields'
import { readPages } from '../services/requests/pages'
import { createWorkItemType } from '../services/work-item-type'
import type { ItemProperty, ProcessField, StateCategory, TrackerProcess, WorkItemType } from '../tracker'
import { type FurtherField, listFurtherFields, readAllowedValues, toProcessField } from './further-fields'
import type { Deployment, JiraClient, WireField } from './jira-client'

const WireType = z.object({
  id: z.string(),
  name: z.string(),
  subtask: z.boolean().default(false),
  hierarchyLevel: z.int().optional(),
})
export type WireType = z.output<typeof WireType>

const WireStatus = z.object({ name: z.string(), statusCategory: z.object({ key: z.string() }).optional() })
const WireTypeStatuses = WireType.extend({ statuses: z.array(WireStatus) })
const WireProject = z.object({ issueTypes: z.array(WireType).default([]) })
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
  points: string | null
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
  linkTypes: z.output<typeof WireLinkTypes>['issueLinkTypes']
}

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

  constructor(
    private readonly client: JiraClient,
    now: () => number,
  ) {
    const lifetime = { ms: client.limits.processCacheMs, now }
    this.#fields = new AsyncMemo((signal) => this.#readSiteFields(signal), lifetime)
    this.#memo = new AsyncMemo((signal) => this.#read(signal), lifetime)
    this.#sprints = new AsyncMemo((signal) => this.#readSprints(signal), lifetime)
  }

  get = (signal: AbortSignal): Promise<Metadata> => this.#memo.get(signal)

  /** The part that reading issues needs, with fewer requests. */
  forReading = (signal: AbortSignal): Promise<SiteFields> => this.#fields.get(signal)

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
    const further = metadata.further.map(toProcessField)
    const fields = [...listFields(metadata).values(), createTypeField(fieldNames.type), ...further]
    const names = { ...fieldNames, fields: fields.map(({ referenceName }) => referenceName) }
    return {
      types: metadata.types.map((type) => {
        const states = metadata.statuses.get(type.name) ?? []
        return createWorkItemType({ name: type.name, level: findLevel(type), states }, names)
      }),
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
    return nullOnTrackerError(readAllowedValues({ typeId, fieldId }, this.client, signal))
  }

  async #readSiteFields(signal: AbortSignal): Promise<SiteFields> {
    const deployment = await this.client.deployment(signal)
    const [fields, priorities] = await Promise.all([
      this.client.listFields(signal),
      this.client.get('/priority', {}, z.array(WireNamed), signal),
    ])
    const custom = findCustomFields(fields)
    return { deployment, priorities, custom, further: listFurtherFields(fields, Object.values(custom)) }
  }

  async #read(signal: AbortSignal): Promise<Metadata> {
    const path = `/project/${encodeURIComponent(this.client.project.key)}`
    const [fields, project, statuses, links] = await Promise.all([
      this.forReading(signal),
      this.client.get(path, {}, WireProject, signal),
      this.client.get(`${path}/statuses`, {}, z.array(WireTypeStatuses), signal),
      this.client.get('/issueLinkType', {}, WireLinkTypes, signal),
    ])
    return {
      ...fields,
      types: project.issueTypes.length > 0 ? project.issueTypes : statuses,
      statuses: new Map(statuses.map((type) => [type.name, type.statuses.map(mapStatus)])),
      linkTypes: links.issueLinkTypes,
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
    points: byType('jsw-story-points') ?? byName(/^story points?(?: estimate)?$/i, 'number'),
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
    ...(custom.points ? [createPropertyField(fieldNames.points, 'storyPoints', { name: 'Story points' })] : []),
  ]
  return new Map(fields.map((field) => [field.property!, field]))
}
