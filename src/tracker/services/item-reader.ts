import { chunksOf } from '../../kernel/work/chunks'
import type { ItemPage, ItemShape, KnownShapes, MissingItem, ReadOptions, TrackerItem } from '../tracker'
import { mapConcurrentlyInOrder } from './requests/map-concurrently'
import { TrackerError } from './requests/tracker-error'

/** How an adapter reads items by their IDs. `Wire` is an item in the tracker's own format. */
export interface ItemSource<Wire> {
  /** IDs in one request: of whole items, and of those of which only the version is compared. */
  batchSizes: { items: number; shapes: number }
  maxConcurrent: number
  /** Items that cannot be read are absent. */
  readWires(ids: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, Wire>>
  readShapes(ids: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, ItemShape>>
  /** Items that an earlier request returned, and that need not be read again for an import. */
  takeReadAhead?(ids: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, Wire>>
  mapItem(wire: Wire): TrackerItem
  /** `Issue 12 does not exist in the repository, or your token cannot read it.` */
  describeMissing(id: number): string
  /** Why the tracker did not show an item that it has; null for one that it may not have. */
  findRefusal?(id: number): TrackerError | null
}

/** Reads items for an adapter that can compare the versions of many items in one request. */
export class ItemReader<Wire> {
  constructor(readonly source: ItemSource<Wire>) {}

  /** Throws `not_found` if the item cannot be read. */
  async readItem(id: number, signal: AbortSignal): Promise<TrackerItem> {
    return this.source.mapItem(await this.readWire(id, signal))
  }

  /** Like `readItem`, in the tracker's own format. */
  async readWire(id: number, signal: AbortSignal): Promise<Wire> {
    const wire = (await this.source.readWires([id], signal)).get(id)
    if (wire === undefined) throw this.createNotFoundError(id)
    return wire
  }

  /** Throws `not_found` if the item cannot be read. */
  async readShape(id: number, signal: AbortSignal): Promise<ItemShape> {
    const shape = (await this.source.readShapes([id], signal)).get(id)
    if (shape === undefined) throw this.createNotFoundError(id)
    return shape
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

  /** Compares the versions of known items first, which takes one request for many of them. */
  async *readPages(
    ids: readonly number[],
    { signal, onProgress, known = new Map() }: ReadOptions & { known?: KnownShapes },
  ): AsyncGenerator<ItemPage, void, undefined> {
    const { batchSizes, maxConcurrent: limit } = this.source
    const unique = [...new Set(ids)]
    let done = 0
    const finish = (page: ItemPage) => {
      done += page.items.length + page.unchanged.length + page.missing.length
      onProgress?.(done, unique.length)
      return page
    }
    const ahead = new Map<number, Wire>()
    const toRead = unique.filter((id) => !known.has(id))
    const toCompare = unique.filter((id) => known.has(id))
    for (const chunk of chunksOf(toCompare, batchSizes.shapes)) {
      const shapes = await this.#readShapes(chunk, ahead, known, signal)
      const found = chunk.filter((id) => shapes.has(id))
      const unchanged = found.filter((id) => isSameShape(shapes.get(id)!, known.get(id)!))
      toRead.push(...found.filter((id) => !unchanged.includes(id)))
      yield finish({ items: [], unchanged, missing: this.#listMissing(chunk, shapes) })
    }
    const read = async (chunk: readonly number[], signal: AbortSignal): Promise<ItemPage> => {
      const wires = await this.#readWires(chunk, ahead, signal)
      const found = chunk.flatMap((id) => wires.get(id) ?? [])
      return {
        items: found.map((wire) => this.source.mapItem(wire)),
        unchanged: [],
        missing: this.#listMissing(chunk, wires),
      }
    }
    for await (const page of mapConcurrentlyInOrder(chunksOf(toRead, batchSizes.items), { limit, signal }, read))
      yield finish(page)
  }

  /** An item that was read ahead in an older version than the known one comes from an index that is behind. */
  async #readShapes(
    ids: readonly number[],
    ahead: Map<number, Wire>,
    known: KnownShapes,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, ItemShape>> {
    const shapes = new Map<number, ItemShape>()
    for (const [id, wire] of (await this.source.takeReadAhead?.(ids, signal)) ?? []) {
      const item = this.source.mapItem(wire)
      if (item.rev < known.get(id)!.rev) continue
      shapes.set(id, item)
      if (!isSameShape(item, known.get(id)!)) ahead.set(id, wire)
    }
    const others = ids.filter((id) => !shapes.has(id))
    if (others.length > 0) for (const [id, shape] of await this.source.readShapes(others, signal)) shapes.set(id, shape)
    return shapes
  }

  async #readWires(
    ids: readonly number[],
    ahead: Map<number, Wire>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, Wire>> {
    const wires = new Map(await this.source.takeReadAhead?.(ids, signal))
    for (const id of ids) {
      const wire = ahead.get(id)
      if (wire !== undefined) wires.set(id, wire)
      ahead.delete(id)
    }
    const others = ids.filter((id) => !wires.has(id))
    if (others.length > 0) for (const [id, wire] of await this.source.readWires(others, signal)) wires.set(id, wire)
    return wires
  }

  createNotFoundError(id: number): TrackerError {
    return this.source.findRefusal?.(id) ?? new TrackerError('not_found', this.source.describeMissing(id))
  }

  #listMissing(ids: readonly number[], found: ReadonlyMap<number, unknown>): MissingItem[] {
    return ids
      .filter((id) => !found.has(id))
      .map((id) => {
        const refusal = this.source.findRefusal?.(id) ?? null
        return refusal === null
          ? { id, reason: this.source.describeMissing(id) }
          : { id, reason: refusal.message, isMalformed: true }
      })
  }
}

function isSameShape(a: ItemShape, b: ItemShape): boolean {
  return a.rev === b.rev && a.relationsFingerprint === b.relationsFingerprint
}
