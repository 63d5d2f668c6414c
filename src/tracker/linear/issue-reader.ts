import * as z from 'zod'
import { chunksOf } from '../../kernel/work/chunks'
import { ItemReader } from '../services/item-reader'
import { queryInBatches } from '../services/requests/graphql-client'
import { createPageShape, PAGE_INFO } from '../services/requests/graphql-pages'
import { collect, readPages } from '../services/requests/pages'
import { TrackerError } from '../services/requests/tracker-error'
import type { ItemShape } from '../tracker'
import { type Arguments, describeMissing, type LinearClient, MAX_PAGE_SIZE } from './linear-client'
import { type IssueMapping, listRelations, mapIssue, mapShape } from './map-issue'
import type { TeamMetadata } from './team-metadata'
import {
  ISSUE,
  type Relation,
  SHAPE,
  selectRelations,
  type WireIssue,
  WireIssueFields,
  WireRelations,
  WireShape,
} from './wire-issue'

/** What reads and changes issues. */
export interface IssueParts {
  linear: LinearClient
  mapping: IssueMapping
  metadata: TeamMetadata
  reader: ItemReader<WireIssue>
}

/**
 * Linear refuses a query of more than 10,000 points: 0.1 for a field and 1 for an object, multiplied by the size of each list around it. A
 * whole issue has 8.4 points, so 250 have 2,100; a version has 2.4, so 1,000 have 2,400. Ten relations in both directions have 70, which
 * would be 70,000 for 1,000 issues. Few issues have any, so a second list in the same request reads those that do: 100 of them for 7,000.
 */
const BATCH_SIZES = { items: 250, shapes: 1_000 }
const RELATED_PAGE_SIZE = 100
const FIRST_RELATIONS = 10

const WireNodes = z.object({ nodes: z.array(z.unknown()) })
const WireAnswer = z.object({ related: createPageShape(WireRelations) }).catchall(WireNodes)

/** Reads issues by their numbers, also archived ones. One in the trash is absent. */
export function createIssueReader({ linear, mapping, metadata }: Omit<IssueParts, 'reader'>): ItemReader<WireIssue> {
  const refusals = new Map<number, TrackerError>()
  const { team } = mapping

  async function readIssues<Shape extends z.ZodType<z.output<typeof WireShape>>>(
    ids: readonly number[],
    { fields, shape, size }: { fields: string; shape: Shape; size: number },
    signal: AbortSignal,
  ): Promise<Map<number, z.output<Shape> & { links: Relation[] }>> {
    const found = new Map<number, z.output<Shape> & { links: Relation[] }>()
    for (const id of ids) refusals.delete(id)
    await queryInBatches(ids, size, async (batch) => {
      const { issues, related } = await readBatch(batch, fields, signal)
      const links = await readLinks(related, signal)
      for (const node of issues) {
        const parsed = shape.safeParse(node)
        const number = z.object({ number: z.int() }).safeParse(node).data?.number
        if (!parsed.success && number !== undefined) refusals.set(number, createShapeError(number, parsed.error))
        else if (parsed.success && !parsed.data.trashed)
          found.set(parsed.data.number, { ...parsed.data, links: links.get(parsed.data.number) ?? [] })
      }
    })
    return found
  }

  /** Reads issues, and the relations of those that have any. */
  async function readBatch(numbers: readonly number[], fields: string, signal: AbortSignal) {
    const chunks = chunksOf(numbers, MAX_PAGE_SIZE)
    const exists = { eq: true }
    const kinds = ['hasBlockedByRelations', 'hasBlockingRelations', 'hasRelatedRelations', 'hasDuplicateRelations']
    const withRelations = linear.filterIssues({
      number: { in: numbers },
      or: kinds.map((kind) => ({ [kind]: exists })),
    })
    const args: Arguments = {
      related: ['IssueFilter', withRelations],
      ...Object.fromEntries(
        chunks.map((chunk, i) => [`f${i}`, ['IssueFilter', linear.filterIssues({ number: { in: chunk } })]]),
      ),
    }
    const issues: unknown[] = []
    const selectPart = (_: unknown, i: number) =>
      `i${i}: issues(filter: $f${i}, first: ${MAX_PAGE_SIZE}, includeArchived: true) { nodes { ${fields} } }`
    const selectRelated =
      `related: issues(filter: $related, first: ${RELATED_PAGE_SIZE}, after: $after, includeArchived: true) ` +
      `{ nodes { ${selectRelations(FIRST_RELATIONS)} } ${PAGE_INFO} }`
    const pages = readPages(async (after) => {
      const isFirst = after === null
      const own: Arguments = { ...(isFirst ? args : { related: args['related']! }), after: ['String', after] }
      const select = [...(isFirst ? chunks.map(selectPart) : []), selectRelated].join(' ')
      const { related, ...parts } = await linear.ask(select, own, WireAnswer, signal)
      issues.push(...Object.values(parts).flatMap(({ nodes }) => nodes))
      return related
    })
    return { related: await collect(pages), issues }
  }

  /** The relations of each issue. For the rare issue that has more than the first ones, a further request reads them. */
  async function readLinks(related: readonly WireRelations[], signal: AbortSignal): Promise<Map<number, Relation[]>> {
    const links = new Map<number, Relation[]>()
    for (const wire of related) {
      const hasMore = wire.relations.pageInfo.hasNextPage || wire.inverseRelations.pageInfo.hasNextPage
      const whole = hasMore ? await readAllRelations(wire.number, signal) : wire
      links.set(wire.number, listRelations(whole, team))
    }
    return links
  }

  async function readAllRelations(number: number, signal: AbortSignal): Promise<WireRelations> {
    const found = await linear.askIssue(
      { number: { eq: number } },
      selectRelations(MAX_PAGE_SIZE),
      WireRelations,
      signal,
    )
    if (found === undefined) throw new TrackerError('tracker_answer', describeMissing(number))
    return found
  }

  return new ItemReader<WireIssue>({
    batchSizes: BATCH_SIZES,
    maxConcurrent: linear.limits.maxConcurrent,
    mapItem: (wire) => mapIssue(wire, mapping),
    describeMissing,
    findRefusal: (id) => refusals.get(id) ?? null,
    async readWires(ids, signal) {
      const query = { fields: ISSUE, shape: WireIssueFields, size: BATCH_SIZES.items }
      const wires = [...(await readIssues(ids, query, signal)).values()]
      const used = new Set(wires.flatMap(({ labelIds }) => labelIds))
      const names = await metadata.find(
        ({ labels }) => new Map(labels.map(({ id, name }) => [id, name])),
        (known) => [...used].every((id) => known.has(id)),
        signal,
      )
      const toLabels = (all: readonly string[]) => all.flatMap((id) => names.get(id) ?? [])
      return new Map(wires.map((wire) => [wire.number, { ...wire, labels: toLabels(wire.labelIds) }]))
    },
    async readShapes(ids, signal) {
      const query = { fields: SHAPE, shape: WireShape, size: BATCH_SIZES.shapes }
      const wires = await readIssues(ids, query, signal)
      return new Map([...wires].map(([id, wire]): [number, ItemShape] => [id, mapShape(wire, team)]))
    },
  })
}

function createShapeError(number: number, cause: z.ZodError): TrackerError {
  return new TrackerError('tracker_answer', `The answer of Linear about issue ${number} has an unexpected shape.`, {
    cause,
  })
}
