import type { ItemPage, ItemShape, KnownShapes, MissingItem, ReadOptions, TrackerItem } from '../tracker'
import type { Address } from './address'
import type { Client } from './client'
import { AnswerTooLarge, TrackerFault } from './fault'
import { fieldNames, textValue } from './field-values'
import { chunksOf, inParallelInOrder } from './in-parallel'
import { itemOf } from './item'
import type { Metadata } from './metadata'
import { fingerprintOf } from './relations'
import { isWireItem, WireItem, WireList } from './wire'

/** The tracker's ids are 32 bits; a single larger one makes it refuse a whole batch. */
const largestId = 2 ** 31 - 1
const unreadable = 'It does not exist in the tracker, or this token may not read it.'

export interface ItemReaderSettings {
  address: Address
  /** The page of an item. */
  urlOf(id: number): string
  client: Client
  metadata: Metadata
}

/** What was found for an id. `wire` is whole, or null where it cannot be read, and `reason` says why. */
export interface Found {
  id: number
  wire: WireItem | null
  reason: string
  faulty?: true
}

/** Reads items, one or many, always whole: with all fields and all links. */
export class ItemReader {
  readonly #settings: ItemReaderSettings

  constructor(settings: ItemReaderSettings) {
    this.#settings = settings
  }

  async one(id: number, signal: AbortSignal): Promise<TrackerItem> {
    const [wire] = await Promise.all([this.#wire(id, signal), this.#settings.metadata.forItems([], signal)])
    return (await this.mapped([wire], signal))[0]!
  }

  async shape(id: number, signal: AbortSignal): Promise<ItemShape> {
    return this.#shapeOf(await this.#wire(id, signal))
  }

  async many(ids: readonly number[], options: ReadOptions): Promise<{ items: TrackerItem[]; missing: MissingItem[] }> {
    const all: { items: TrackerItem[]; missing: MissingItem[] } = { items: [], missing: [] }
    for await (const { items, missing } of this.pages(ids, options)) {
      all.items.push(...items)
      all.missing.push(...missing)
    }
    return all
  }

  async *pages(
    ids: readonly number[],
    { signal, onProgress, known = new Map() }: ReadOptions & { known?: KnownShapes },
  ): AsyncGenerator<ItemPage, void, undefined> {
    const unique = [...new Set(ids)]
    const { client, metadata } = this.#settings
    const bounds = { limit: client.limits.inFlight, signal }
    const read = async (chunk: readonly number[], signal: AbortSignal) => {
      // Where all may be as they were, the process is asked about only once one is not.
      const isAllKnown = chunk.every((id) => known.has(id))
      const process = isAllKnown ? null : metadata.forItems([], signal)
      const [found] = await Promise.all([this.wires(chunk, signal), process])
      return this.#pageOf(found, known, signal)
    }
    let done = 0
    for await (const page of inParallelInOrder(chunksOf(unique, client.limits.batchSize), bounds, read)) {
      done += page.items.length + page.unchanged.length + page.missing.length
      onProgress?.(done, unique.length)
      yield page
    }
  }

  /** One entry for each of at most a batch of ids, in their order. */
  async wires(ids: readonly number[], signal: AbortSignal): Promise<Found[]> {
    const possible = ids.filter(isPossibleId)
    const found = new Map((await this.#batch(possible, signal)).map((entry) => [entry.id, entry]))
    return ids.map((id) => found.get(id) ?? { id, wire: null, reason: unreadable })
  }

  async mapped(wires: readonly WireItem[], signal: AbortSignal): Promise<TrackerItem[]> {
    const { address, metadata, urlOf } = this.#settings
    const types = [...new Set(wires.map((wire) => textValue(wire.fields[fieldNames.type])))]
    const process = await metadata.forItems(types, signal)
    return wires.map((wire) => itemOf(wire, { ...process, urlOf, base: address.base }))
  }

  async #wire(id: number, signal: AbortSignal): Promise<WireItem> {
    if (!isPossibleId(id)) throw new TrackerFault('not_found', `Work item ${id} does not exist in the tracker.`)
    const ask = { method: 'GET', path: `/_apis/wit/workitems/${id}`, query: { $expand: 'relations' } } as const
    return this.#settings.client.read(ask, WireItem, signal)
  }

  async #pageOf(found: readonly Found[], known: KnownShapes, signal: AbortSignal): Promise<ItemPage> {
    const wires = wiresIn(found)
    const isNews = new Set(wires.filter((wire) => !this.#isAs(wire, known.get(wire.id))))
    return {
      items: isNews.size === 0 ? [] : await this.mapped([...isNews], signal),
      unchanged: wires.filter((wire) => !isNews.has(wire)).map((wire) => wire.id),
      missing: found.flatMap(({ id, wire, reason, faulty }) =>
        wire === null ? [{ id, reason, ...(faulty ? { faulty } : {}) }] : [],
      ),
    }
  }

  #isAs(wire: WireItem, known: ItemShape | undefined): boolean {
    return known?.rev === wire.rev && known.relationsFingerprint === this.#shapeOf(wire).relationsFingerprint
  }

  #shapeOf(wire: WireItem): ItemShape {
    return {
      rev: wire.rev,
      relationsFingerprint: fingerprintOf(wire.relations ?? [], this.#settings.address.base),
    }
  }

  /**
   * Entries are matched by id, as the tracker may leave some out, send null for them, or reorder. Where one id spoils
   * the batch, or the batch is too large to take, its halves are asked for.
   */
  async #batch(ids: readonly number[], signal: AbortSignal): Promise<Found[]> {
    if (ids.length === 0) return []
    const body = { ids, $expand: 'relations', errorPolicy: 'omit' }
    const ask = { method: 'POST', path: '/_apis/wit/workitemsbatch', body } as const
    try {
      const { value } = await this.#settings.client.read(ask, WireList, signal)
      return value.flatMap(entryOf)
    } catch (error) {
      if (!isSpoilt(error)) throw error
      if (ids.length === 1) {
        const faulty = error instanceof AnswerTooLarge ? { faulty: true as const } : {}
        return [{ id: ids[0]!, wire: null, reason: error.message, ...faulty }]
      }
      const half = Math.ceil(ids.length / 2)
      const first = await this.#batch(ids.slice(0, half), signal)
      return [...first, ...(await this.#batch(ids.slice(half), signal))]
    }
  }
}

export function wiresIn(found: readonly Found[]): WireItem[] {
  return found.flatMap(({ wire }) => wire ?? [])
}

function isPossibleId(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id <= largestId
}

function isSpoilt(error: unknown): error is TrackerFault {
  return error instanceof AnswerTooLarge || (error instanceof TrackerFault && error.code === 'not_found')
}

/** Read with its links, an item that names none has none; in the answer to a change that would prove nothing. */
function wholeOf(wire: WireItem): WireItem {
  return { ...wire, relations: wire.relations ?? [] }
}

function entryOf(entry: unknown): Found[] {
  if (isWireItem(entry)) return [{ id: entry.id, wire: wholeOf(entry), reason: '' }]
  const id = (entry as { id?: unknown } | null)?.id
  const reason = "The tracker's answer for it has not the expected shape."
  return typeof id === 'number' ? [{ id, wire: null, reason, faulty: true }] : []
}
