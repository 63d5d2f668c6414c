import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { AsyncMemo } from '../services/async-memo'
import { toInstantOrNull, WireInstant } from '../services/instants'
import { createPropertyField, createTypeField } from '../services/property-fields'
import { createPageShape, nodes, PAGE_INFO } from '../services/requests/graphql-pages'
import { TrackerError } from '../services/requests/tracker-error'
import { findTypeLevel } from '../services/type-level'
import { createWorkItemType } from '../services/work-item-type'
import type { ItemProperty, ProcessField, TrackerProcess, WorkItemType } from '../tracker'
import { UNTYPED } from './labels'
import { fieldNames, type IssueMapping, STATES } from './map-issue'
import { type Board, listBoardIterations, selectBoard, WireBoard } from './project-board'
import type { HasField, RepositoryClient } from './repository-client'

const PAGE_SIZE = 100
const WireNamed = z.object({ id: z.string(), name: z.string() })
const WireMetadata = z.object({
  labels: createPageShape(WireNamed).nullable(),
  id: z.string(),
  issueTypes: nodes(WireNamed.extend({ isEnabled: z.boolean() })).nullish(),
  milestones: nodes(z.object({ id: z.string(), title: z.string(), dueOn: WireInstant.nullish() })).nullable(),
  owner: z.object({ projectV2: WireBoard.nullish() }).optional(),
})

/** What GitHub knows about the repository, besides its issues. */
export interface Metadata {
  repositoryId: string
  labels: { id: string; name: string }[]
  /** The types of the organization that can be used. */
  issueTypes: { id: string; name: string }[]
  milestones: { id: string; title: string }[]
  /** Null if none is configured. */
  board: Board | null
  iterations: TrackerProcess['iterations']
}

/** The labels, types and iterations of the repository, cached for some minutes. */
export class RepositoryMetadata {
  readonly #memo: AsyncMemo<Metadata>

  constructor(
    private readonly graphql: RepositoryClient,
    private readonly mapping: IssueMapping,
    now: () => number,
  ) {
    this.#memo = new AsyncMemo((signal) => this.read(signal), { ms: graphql.limits.processCacheMs, now })
  }

  get(signal: AbortSignal): Promise<Metadata> {
    return this.#memo.get(signal)
  }

  async describeProcess(signal: AbortSignal): Promise<TrackerProcess> {
    const metadata = await this.get(signal)
    return {
      types: this.#listTypes(metadata),
      areaPaths: [],
      iterations: metadata.iterations,
      fields: [...listFields(this.mapping).values(), createTypeField(fieldNames.type)],
    }
  }

  /** The labels of the repository that mean a type. */
  listTypeLabels({ labels }: Metadata, type: string): { id: string; name: string }[] {
    return labels.filter(({ name }) => equalsIgnoringCase(this.mapping.typeLabels.findType(name) ?? '', type))
  }

  #listTypes(metadata: Metadata): WorkItemType[] {
    const ofLabels = metadata.labels.flatMap(({ name }) => this.mapping.typeLabels.findType(name) ?? [])
    const names = new Map<string, string>()
    for (const name of [...metadata.issueTypes.map(({ name }) => name), ...ofLabels, UNTYPED])
      if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name)
    const ofFields = { title: fieldNames.title, description: fieldNames.body, fields: Object.values(fieldNames) }
    return [...names.values()].map((name) =>
      createWorkItemType({ name, level: findTypeLevel(name), states: [...STATES] }, ofFields),
    )
  }

  /** Reads it now. Throws `invalid` if the repository or the project board cannot be read. */
  async read(signal: AbortSignal): Promise<Metadata> {
    const { board: number } = this.mapping
    const first = await this.graphql.queryRepository(
      { select: (has) => selectMetadata(has, number) },
      WireMetadata,
      signal,
    )
    const { entries: labels, next } = first.labels ?? { entries: [], next: null }
    const args = `first: ${PAGE_SIZE}`
    const query = { name: 'labels', args, fields: () => 'id name', shape: WireNamed, after: next }
    if (next !== null) for await (const page of this.graphql.readConnection(query, signal)) labels.push(...page)
    const milestones = first.milestones?.nodes ?? []
    const board = first.owner?.projectV2 ?? null
    if (number !== null && board === null)
      throw new TrackerError('invalid', `Project board ${number} does not exist, or your token cannot read it.`, {
        hint: 'Set tracker.board to the number in the address of the board, or remove the setting.',
      })
    return {
      repositoryId: first.id,
      labels,
      issueTypes: (first.issueTypes?.nodes ?? []).filter(({ isEnabled }) => isEnabled),
      milestones,
      board,
      iterations:
        board === null
          ? milestones.map(({ title, dueOn }) => ({ path: title, startDate: null, finishDate: toInstantOrNull(dueOn) }))
          : listBoardIterations(board),
    }
  }
}

function selectMetadata(has: HasField, board: number | null): string {
  return [
    'id',
    `labels(first: ${PAGE_SIZE}) { nodes { id name } ${PAGE_INFO} }`,
    `milestones(first: ${PAGE_SIZE}, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { id title dueOn } }`,
    ...(has('issueTypes') ? [`issueTypes(first: ${PAGE_SIZE}) { nodes { id name isEnabled } }`] : []),
    ...(board === null ? [] : [`owner { ... on ProjectV2Owner { ${selectBoard(board)} } }`]),
  ].join(' ')
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
