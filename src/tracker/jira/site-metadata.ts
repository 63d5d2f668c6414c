import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { AsyncMemo } from '../services/async-memo'
import { nullOnTrackerError } from '../services/change-result'
import { createTypeField } from '../services/property-fields'
import { createWorkItemType } from '../services/work-item-type'
import type { TrackerProcess, WorkItemType } from '../tracker'
import { listFurtherFields, toProcessField } from './further-fields'
import type { JiraClient } from './jira-client'
import { findCategory, findLevel, WireType } from './levels-and-states'
import { readCreateScreen, type ScreenField } from './screen-fields'
import { fieldNames, findCustomFields, listFields, type SiteFields, toFieldName } from './site-fields'
import { Sprints, type WireSprint } from './sprints'

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

export interface Metadata extends SiteFields {
  types: WireType[]
  statuses: Map<string, WorkItemType['states']>
  projectId: string
  /** Whether the project has fields and screens of its own, which its team manages. */
  isTeamManaged: boolean
}

export type LinkType = z.output<typeof WireLinkTypes>['issueLinkTypes'][number]

/** What the site says about the project: types, states, priorities, links and fields, cached for some minutes. */
export class SiteMetadata {
  readonly #fields: AsyncMemo<SiteFields>
  readonly #memo: AsyncMemo<Metadata>
  readonly #linkTypes: AsyncMemo<LinkType[]>
  readonly sprints: Sprints
  /** By the IDs of the types. */
  readonly #screens = new Map<string, AsyncMemo<ScreenField[]>>()

  constructor(
    private readonly client: JiraClient,
    private readonly now: () => number,
  ) {
    const lifetime = this.#lifetime
    this.#fields = new AsyncMemo((signal) => this.#readSiteFields(signal), lifetime)
    this.#memo = new AsyncMemo((signal) => this.#read(signal), lifetime)
    this.sprints = new Sprints(client, async (signal) => (await this.forReading(signal)).custom.sprint, lifetime)
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
    const read = async () => find((await this.sprints.list(signal)) ?? []) ?? null
    return this.#findAgain(read, this.sprints)
  }

  async findPriority(
    find: (all: SiteFields['priorities']) => SiteFields['priorities'][number] | null,
    signal: AbortSignal,
  ) {
    const read = async () => find((await this.forReading(signal)).priorities)
    return this.#findAgain(read, this.#fields)
  }

  async #findAgain<Found>(read: () => Promise<Found | null>, memo: { forget(): void }): Promise<Found | null> {
    const found = await read()
    if (found !== null) return found
    memo.forget()
    return read()
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
      iterations: parts.includes('iterations') ? ((await this.sprints.listIterations(signal)) ?? []) : [],
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
}

/** The fields that a new issue must have, by the names that people set them with. */
function listRequired(screen: readonly ScreenField[], { custom }: Pick<SiteFields, 'custom'>): string[] {
  const given = ['project', 'issuetype', 'parent', custom.epicLink]
  return screen.flatMap(({ id, isRequired }) => (isRequired && !given.includes(id) ? [toFieldName(id, custom)] : []))
}

function mapStatus({ name, statusCategory }: z.output<typeof WireStatus>): WorkItemType['states'][number] {
  return { name, category: findCategory(statusCategory?.key), color: null }
}
