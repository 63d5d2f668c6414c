import { chunksOf } from '../../kernel/chunks'
import { mapConcurrentlyInOrder } from '../services/map-concurrently'
import { TrackerError } from '../services/tracker-error'
import type { ItemPage, ItemShape, KnownShapes, MissingItem, ReadOptions, TrackerItem } from '../tracker'
import type { GraphqlClient } from './graphql-client'
import { type IssueMapping, mapIssue, mapShape } from './map-issue'
import { selectIssue, selectShape, WireIssue, WireShape } from './wire-issue'

const UNREADABLE_REASON = 'There is no issue with this number in the repository, or this token may not read it.'
/** Issues in one request: whole ones, and those of which only the version is compared. */
const ISSUE_BATCH = 100
const SHAPE_BATCH = 500

/** Reads issues by their numbers. */
export class IssueReader {
  constructor(
    private readonly graphql: GraphqlClient,
    readonly mapping: IssueMapping,
  ) {}

  async readItem(id: number, signal: AbortSignal): Promise<TrackerItem> {
    const wire = (await this.readWireIssues([id], signal)).get(id)
    if (wire === undefined) throw createNotFoundError(id)
    return mapIssue(wire, this.mapping)
  }

  async readShape(id: number, signal: AbortSignal): Promise<ItemShape> {
    const wire = (await this.#readShapes([id], signal)).get(id)
    if (wire === undefined) throw createNotFoundError(id)
    return mapShape(wire, this.mapping)
  }

  async readItems(
    ids: readonly number[],
    options: ReadOptions,
  ): Promise<{ items: TrackerItem[]; missing: MissingItem[] }> {
    const all: { items: TrackerItem[]; missing: MissingItem[] } = { items: [], missing: [] }
    for await (const { items, missing } of this.readPages(ids, options)) {
      all.items.push(...items)
      all.missing.push(...missing)
    }
    return all
  }

  /** Compares the versions of known issues first, which takes one request for several hundred of them. */
  async *readPages(
    ids: readonly number[],
    { signal, onProgress, known = new Map() }: ReadOptions & { known?: KnownShapes },
  ): AsyncGenerator<ItemPage, void, undefined> {
    const unique = [...new Set(ids)]
    let done = 0
    const finish = (page: ItemPage) => {
      done += page.items.length + page.unchanged.length + page.missing.length
      onProgress?.(done, unique.length)
      return page
    }
    const toRead = unique.filter((id) => !known.has(id))
    for (const chunk of chunksOf(
      unique.filter((id) => known.has(id)),
      SHAPE_BATCH,
    )) {
      const shapes = await this.#readShapes(chunk, signal)
      const isUnchanged = (id: number) => {
        const wire = shapes.get(id)
        const [now, before] = [wire && mapShape(wire, this.mapping), known.get(id)]
        return now?.rev === before?.rev && now?.relationsFingerprint === before?.relationsFingerprint
      }
      const missing = chunk.filter((id) => !shapes.has(id))
      const unchanged = chunk.filter((id) => shapes.has(id) && isUnchanged(id))
      toRead.push(...chunk.filter((id) => shapes.has(id) && !isUnchanged(id)))
      yield finish({ items: [], unchanged, missing: missing.map(createMissingItem) })
    }
    const bounds = { limit: this.graphql.limits.maxConcurrent, signal }
    const read = async (chunk: readonly number[], signal: AbortSignal): Promise<ItemPage> => {
      const wires = await this.readWireIssues(chunk, signal)
      return {
        items: chunk.flatMap((id) => (wires.has(id) ? [mapIssue(wires.get(id)!, this.mapping)] : [])),
        unchanged: [],
        missing: chunk.filter((id) => !wires.has(id)).map(createMissingItem),
      }
    }
    for await (const page of mapConcurrentlyInOrder(chunksOf(toRead, ISSUE_BATCH), bounds, read)) yield finish(page)
  }

  readWireIssues(ids: readonly number[], signal: AbortSignal): Promise<Map<number, WireIssue>> {
    const fields = (has: GraphqlClient['has']) => selectIssue(has, this.mapping.board !== null)
    return this.graphql.queryEach(ids, { batchSize: ISSUE_BATCH, fields, shape: WireIssue }, signal)
  }

  #readShapes(ids: readonly number[], signal: AbortSignal): Promise<Map<number, WireShape>> {
    const fields = (has: GraphqlClient['has']) => selectShape(has, this.mapping.board !== null)
    return this.graphql.queryEach(ids, { batchSize: SHAPE_BATCH, fields, shape: WireShape }, signal)
  }
}

export function createNotFoundError(id: number): TrackerError {
  return new TrackerError('not_found', `Issue ${id} does not exist in the repository, or your token cannot read it.`)
}

function createMissingItem(id: number): MissingItem {
  return { id, reason: UNREADABLE_REASON }
}
