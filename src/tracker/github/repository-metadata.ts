import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text'
import { DAY_MS } from '../../kernel/time'
import { AsyncMemo } from '../services/async-memo'
import { readPages } from '../services/pages'
import { createPropertyField } from '../services/property-fields'
import { findTypeLevel } from '../services/type-level'
import type { ItemProperty, ProcessField, TrackerProcess, WorkItemType } from '../tracker'
import type { GraphqlClient, HasField } from './graphql-client'
import { UNTYPED } from './labels'
import { fieldNames, type IssueMapping, STATES, toInstant } from './map-issue'
import { createPageShape, nodes, PAGE_INFO } from './wire-issue'

const PAGE_SIZE = 100
const WireIteration = z.object({ title: z.string(), startDate: z.string(), duration: z.number() })

/** A field of a board; only iterations have a configuration. */
const WireBoardField = z.object({
  configuration: z
    .object({ iterations: z.array(WireIteration), completedIterations: z.array(WireIteration) })
    .optional(),
})

const WireLabels = z.object({
  labels: createPageShape(z.object({ id: z.string(), name: z.string() })).nullable(),
})

const NO_LABELS = { entries: [], next: null }

const WireMetadata = WireLabels.extend({
  id: z.string(),
  issueTypes: nodes(z.object({ id: z.string(), name: z.string(), isEnabled: z.boolean() })).nullish(),
  milestones: nodes(z.object({ id: z.string(), title: z.string(), dueOn: z.string().nullish() })).nullable(),
  owner: z.object({ projectV2: z.object({ fields: nodes(WireBoardField) }).nullish() }).optional(),
})

/** What GitHub knows about the repository, besides its issues. */
export interface Metadata {
  repositoryId: string
  labels: { id: string; name: string }[]
  /** The types of the organization that can be used. */
  issueTypes: { id: string; name: string }[]
  milestones: { id: string; title: string }[]
  iterations: TrackerProcess['iterations']
}

/** The labels, types and iterations of the repository, cached for some minutes. */
export class RepositoryMetadata {
  readonly #memo: AsyncMemo<Metadata>

  constructor(
    private readonly graphql: GraphqlClient,
    private readonly mapping: IssueMapping,
    now: () => number,
  ) {
    this.#memo = new AsyncMemo((signal) => this.#read(signal), { ms: graphql.limits.processCacheMs, now })
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
      fields: [...listFields(this.mapping).values(), typeField],
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
    return [...names.values()].map((name) => ({
      name,
      color: null,
      level: findTypeLevel(name),
      category: null,
      states: [...STATES],
      fieldReferenceNames: Object.values(fieldNames),
      requiredFields: [fieldNames.title],
      descriptionField: fieldNames.body,
    }))
  }

  async #read(signal: AbortSignal): Promise<Metadata> {
    const { board } = this.mapping
    const first = await this.graphql.queryRepository(
      { select: (has) => selectMetadata(has, board) },
      WireMetadata,
      signal,
    )
    const readLabels = async (after: string | null) => {
      if (after === null) return first.labels ?? NO_LABELS
      const query = { select: () => selectLabels('$after'), variables: { after }, declarations: '$after: String' }
      return (await this.graphql.queryRepository(query, WireLabels, signal)).labels ?? NO_LABELS
    }
    const labels: { id: string; name: string }[] = []
    for await (const page of readPages(readLabels)) labels.push(...page)
    const milestones = first.milestones?.nodes ?? []
    return {
      repositoryId: first.id,
      labels,
      issueTypes: (first.issueTypes?.nodes ?? []).filter(({ isEnabled }) => isEnabled),
      milestones,
      iterations:
        board === null
          ? milestones.map(({ title, dueOn }) => ({
              path: title,
              startDate: null,
              finishDate: dueOn ? toInstant(dueOn) : null,
            }))
          : listBoardIterations(first),
    }
  }
}

function selectLabels(after: string): string {
  return `labels(first: ${PAGE_SIZE}, after: ${after}) { nodes { id name } ${PAGE_INFO} }`
}

function selectMetadata(has: HasField, board: number | null): string {
  const iterations = 'title startDate duration'
  return [
    'id',
    selectLabels('null'),
    `milestones(first: ${PAGE_SIZE}, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { id title dueOn } }`,
    ...(has('issueTypes') ? [`issueTypes(first: ${PAGE_SIZE}) { nodes { id name isEnabled } }`] : []),
    ...(board === null
      ? []
      : [
          `owner { ... on ProjectV2Owner { projectV2(number: ${board}) { fields(first: ${PAGE_SIZE}) { nodes { ` +
            `... on ProjectV2IterationField { configuration { iterations { ${iterations} } completedIterations { ${iterations} } } } } } } } }`,
        ]),
  ].join(' ')
}

function listBoardIterations({ owner }: z.output<typeof WireMetadata>): TrackerProcess['iterations'] {
  const configurations = (owner?.projectV2?.fields.nodes ?? []).flatMap(({ configuration }) => configuration ?? [])
  const all = configurations.flatMap(({ iterations, completedIterations }) => [...completedIterations, ...iterations])
  return all.map(({ title, startDate, duration }) => ({
    path: title,
    startDate: toInstant(startDate),
    finishDate: toInstant(new Date(Date.parse(startDate) + (duration - 1) * DAY_MS).toISOString()),
  }))
}

const typeField: ProcessField = {
  referenceName: fieldNames.type,
  name: 'Type',
  kind: 'string',
  readOnly: true,
  property: null,
}

/** The fields of the properties. The values of a board are only read. */
export function listFields({ board }: Pick<IssueMapping, 'board'>): Map<ItemProperty, ProcessField> {
  const readOnly = board !== null
  const milestone = board === null ? { name: 'Milestone' } : { readOnly }
  const fields = [
    createPropertyField(fieldNames.title, 'title'),
    createPropertyField(fieldNames.state, 'state'),
    createPropertyField(fieldNames.assignee, 'assignedTo'),
    createPropertyField(fieldNames.labels, 'tags'),
    createPropertyField(fieldNames.milestone, 'iterationPath', milestone),
    createPropertyField(fieldNames.points, 'storyPoints', { readOnly }),
    createPropertyField(fieldNames.body, 'description', { isMarkdown: true }),
  ]
  return new Map(fields.map((field) => [field.property!, field]))
}
