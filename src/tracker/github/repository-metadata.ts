import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { CachedMetadata } from '../services/cached-metadata'
import { toInstantOrNull, WireInstant } from '../services/instants'
import { createPropertyField, createTypeField } from '../services/property-fields'
import { createPageShape, PAGE_INFO } from '../services/requests/graphql-pages'
import type { Page } from '../services/requests/pages'
import { UNTYPED } from '../services/type-labels'
import { findTypeLevel } from '../services/type-level'
import { createWorkItemType } from '../services/work-item-type'
import type { ItemProperty, ProcessField, TrackerProcess, WorkItemType } from '../tracker'
import { createCustomField } from './board/custom-fields'
import { selectIssueFields, WireIssueFields } from './board/issue-fields'
import { toProcessStates } from './board/issue-states'
import {
  type Board,
  type BoardField,
  createMissingBoardError,
  listBoardIterations,
  selectOwnBoard,
  WireBoard,
} from './board/project-board'
import { fieldNames, type IssueMapping } from './map-issue'
import type { HasField, RepositoryClient } from './repository-client'

const WireNamed = z.object({ id: z.string(), name: z.string() })
const WireType = WireNamed.extend({ isEnabled: z.boolean() })
const WireMilestone = z.object({ id: z.string(), title: z.string(), dueOn: WireInstant.nullish() })
const WireMetadata = z.object({
  id: z.string(),
  labels: createPageShape(WireNamed).nullable(),
  issueTypes: createPageShape(WireType).nullish(),
  milestones: createPageShape(WireMilestone).nullable(),
  owner: z.object({ projectV2: WireBoard.nullish(), issueFields: WireIssueFields.nullish() }).optional(),
})

/** The lists of a repository, which may take several pages. */
const LISTS = {
  labels: { fields: 'id name', shape: WireNamed },
  milestones: { fields: 'id title dueOn', shape: WireMilestone },
  issueTypes: { fields: 'id name isEnabled', shape: WireType },
} as const

/** What GitHub knows about the repository, besides its issues. */
export interface Metadata {
  repositoryId: string
  labels: { id: string; name: string }[]
  /** The types of the organization that can be used. */
  issueTypes: { id: string; name: string }[]
  milestones: { id: string; title: string }[]
  /** Null if none is configured. */
  board: Board | null
  /** The fields that the organization defines for its issues. */
  issueFields: readonly BoardField[]
  iterations: TrackerProcess['iterations']
}

/** The labels, types, fields and iterations of the repository. */
export class RepositoryMetadata extends CachedMetadata<Metadata> {
  constructor(
    private readonly graphql: RepositoryClient,
    private readonly mapping: IssueMapping,
    now: () => number,
  ) {
    super(graphql.limits.processCacheMs, now)
  }

  async describeProcess(signal: AbortSignal): Promise<TrackerProcess> {
    const metadata = await this.get(signal)
    const custom = listCustomFields(metadata).map(createCustomField)
    return {
      types: this.#listTypes(metadata, custom),
      areaPaths: [],
      iterations: metadata.iterations,
      fields: [...listFields(this.mapping).values(), createTypeField(fieldNames.type), ...custom],
    }
  }

  /** The names that a field with choices can have; null for any other field. */
  async listAllowedValues(referenceName: string, signal: AbortSignal): Promise<string[] | null> {
    const field = listCustomFields(await this.get(signal)).find(({ id }) => id === referenceName)
    return field?.options?.map(({ name }) => name) ?? null
  }

  /** The labels of the repository that mean a type. */
  listTypeLabels({ labels }: Metadata, type: string): { id: string; name: string }[] {
    return labels.filter(({ name }) => equalsIgnoringCase(this.mapping.typeLabels.findType(name) ?? '', type))
  }

  #listTypes(metadata: Metadata, custom: readonly ProcessField[]): WorkItemType[] {
    const ofLabels = metadata.labels.flatMap(({ name }) => this.mapping.typeLabels.findType(name) ?? [])
    const names = new Map<string, string>()
    for (const name of [...metadata.issueTypes.map(({ name }) => name), ...ofLabels, UNTYPED])
      if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name)
    const fields = [...Object.values(fieldNames), ...custom.map(({ referenceName }) => referenceName)]
    const ofFields = { title: fieldNames.title, description: fieldNames.body, fields }
    const states = toProcessStates(metadata.board)
    return [...names.values()].map((name) => createWorkItemType({ name, level: findTypeLevel(name), states }, ofFields))
  }

  /** Reads it now. Throws `invalid` if the repository or the project board cannot be read. */
  async read(signal: AbortSignal): Promise<Metadata> {
    const { board: number } = this.mapping
    const query = { select: (has: HasField) => selectMetadata(has, number) }
    const first = await this.graphql.queryRepository(query, WireMetadata, signal)
    const board = first.owner?.projectV2 ?? null
    if (number !== null && board === null) throw createMissingBoardError(number)
    const labels = await this.#readRest('labels', first.labels, signal)
    const milestones = await this.#readRest('milestones', first.milestones, signal)
    const issueTypes = await this.#readRest('issueTypes', first.issueTypes, signal)
    return {
      repositoryId: first.id,
      labels,
      issueTypes: issueTypes.filter(({ isEnabled }) => isEnabled),
      milestones,
      board,
      issueFields: first.owner?.issueFields ?? [],
      iterations:
        board === null
          ? milestones.map(({ title, dueOn }) => ({ path: title, startDate: null, finishDate: toInstantOrNull(dueOn) }))
          : listBoardIterations(board),
    }
  }

  /** Adds the pages after the first one. */
  async #readRest<Entry>(name: keyof typeof LISTS, first: Page<Entry> | null | undefined, signal: AbortSignal) {
    const { entries = [], next = null } = first ?? {}
    if (next === null) return entries
    const { fields, shape } = LISTS[name]
    const query = { name, args: selectArguments(name), fields: () => fields, shape: shape as z.ZodType, after: next }
    const all = [...entries]
    for await (const page of this.graphql.readConnection(query, signal)) all.push(...(page as Entry[]))
    return all
  }
}

function selectArguments(name: keyof typeof LISTS): string {
  return name === 'milestones' ? 'orderBy: { field: UPDATED_AT, direction: DESC },' : ''
}

function selectMetadata(has: HasField, board: number | null): string {
  const list = (name: keyof typeof LISTS) =>
    `${name}(${selectArguments(name)} first: 100) { nodes { ${LISTS[name].fields} } ${PAGE_INFO} }`
  return [
    'id',
    list('labels'),
    list('milestones'),
    ...(has('issueTypes') ? [list('issueTypes')] : []),
    ...(has('issueFields') ? [`owner { ... on Organization { ${selectIssueFields(has)} } }`] : []),
    ...(board === null ? [] : [selectOwnBoard(board)]),
  ].join(' ')
}

/** The fields besides those of the properties. A board also shows fields of the organization, which are set on the issue. */
export function listCustomFields({ board, issueFields }: Pick<Metadata, 'board' | 'issueFields'>): BoardField[] {
  const isOfOrganization = ({ name }: BoardField) => issueFields.some((field) => equalsIgnoringCase(field.name, name))
  return [...(board?.fields.filter((field) => !isOfOrganization(field)) ?? []), ...issueFields]
}

/** The fields of the properties. */
export function listFields({ board }: Pick<IssueMapping, 'board'>): Map<ItemProperty, ProcessField> {
  const fields = [
    createPropertyField(fieldNames.title, 'title'),
    createPropertyField(fieldNames.state, 'state'),
    createPropertyField(fieldNames.assignee, 'assignedTo'),
    createPropertyField(fieldNames.labels, 'tags'),
    createPropertyField(fieldNames.milestone, 'iterationPath', board === null ? { name: 'Milestone' } : {}),
    createPropertyField(fieldNames.points, 'storyPoints'),
    createPropertyField(fieldNames.body, 'description', { isMarkdown: true }),
  ]
  return new Map(fields.map((field) => [field.property!, field]))
}
