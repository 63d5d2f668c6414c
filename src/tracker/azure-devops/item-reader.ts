import { chunksOf } from '../../kernel/chunks'
import { mapConcurrentlyInOrder } from '../services/map-concurrently'
import type { RetryingClient } from '../services/retrying-client'
import type { TrackerAddress } from '../services/tracker-address'
import { ResponseTooLargeError, TrackerError } from '../services/tracker-error'
import type { ItemPage, ItemShape, KnownShapes, MissingItem, ReadOptions, TrackerItem } from '../tracker'
import { fieldNames, parseText } from './field-values'
import { fingerprintRelations, mapItem } from './map-item'
import type { ProcessMetadata } from './process-metadata'
import { isWireItem, MAX_ID, WireItem, WireList } from './wire-schemas'

const UNREADABLE_REASON = 'It does not exist in the tracker, or this token may not read it.'

export interface ItemReaderSettings {
  address: TrackerAddress
  /** The page of an item. */
  pageUrl(id: number): string
  client: RetryingClient
  metadata: ProcessMetadata
}

/** What was found for an id. `wire` is whole, or null where it cannot be read, and `reason` says why. */
export interface FoundItem {
  id: number
  wire: WireItem | null
  reason: string
  isMalformed?: true
}

/** Reads items, one or many, always whole: with all fields and all links. */
export class ItemReader {
  readonly #settings: ItemReaderSettings

  constructor(settings: ItemReaderSettings) {
    this.#settings = settings
  }

  async readItem(id: number, signal: AbortSignal): Promise<TrackerItem> {
    const [wire] = await Promise.all([this.#wire(id, signal), this.#settings.metadata.forItems([], signal)])
    return (await this.mapItems([wire], signal))[0]!
  }

  async readShape(id: number, signal: AbortSignal): Promise<ItemShape> {
    return this.#shapeOf(await this.#wire(id, signal))
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

  async *readPages(
    ids: readonly number[],
    { signal, onProgress, known = new Map() }: ReadOptions & { known?: KnownShapes },
  ): AsyncGenerator<ItemPage, void, undefined> {
    const unique = [...new Set(ids)]
    const { client, metadata } = this.#settings
    const bounds = { limit: client.limits.maxConcurrent, signal }
    const read = async (chunk: readonly number[], signal: AbortSignal) => {
      // Where all may be as they were, the process is asked about only once one is not.
      const isAllKnown = chunk.every((id) => known.has(id))
      const process = isAllKnown ? null : metadata.forItems([], signal)
      const [found] = await Promise.all([this.readWireItems(chunk, signal), process])
      return this.#pageOf(found, known, signal)
    }
    let done = 0
    for await (const page of mapConcurrentlyInOrder(chunksOf(unique, client.limits.batchSize), bounds, read)) {
      done += page.items.length + page.unchanged.length + page.missing.length
      onProgress?.(done, unique.length)
      yield page
    }
  }

  /** One entry for each of at most a batch of ids, in their order. */
  async readWireItems(ids: readonly number[], signal: AbortSignal): Promise<FoundItem[]> {
    const possible = ids.filter(isPossibleId)
    const found = new Map((await this.#batch(possible, signal)).map((entry) => [entry.id, entry]))
    return ids.map((id) => found.get(id) ?? { id, wire: null, reason: UNREADABLE_REASON })
  }

  async mapItems(wires: readonly WireItem[], signal: AbortSignal): Promise<TrackerItem[]> {
    const { address, metadata, pageUrl: urlOf } = this.#settings
    const types = [...new Set(wires.map((wire) => parseText(wire.fields[fieldNames.type])))]
    const process = await metadata.forItems(types, signal)
    return wires.map((wire) => mapItem(wire, { ...process, pageUrl: urlOf, base: address.base }))
  }

  async #wire(id: number, signal: AbortSignal): Promise<WireItem> {
    if (!isPossibleId(id)) throw new TrackerError('not_found', `Work item ${id} does not exist in the tracker.`)
    const ask = { method: 'GET', path: `/_apis/wit/workitems/${id}`, query: { $expand: 'relations' } } as const
    return this.#settings.client.read(ask, WireItem, signal)
  }

  async #pageOf(found: readonly FoundItem[], known: KnownShapes, signal: AbortSignal): Promise<ItemPage> {
    const wires = selectWireItems(found)
    const isNews = new Set(wires.filter((wire) => !this.#isAs(wire, known.get(wire.id))))
    return {
      items: isNews.size === 0 ? [] : await this.mapItems([...isNews], signal),
      unchanged: wires.filter((wire) => !isNews.has(wire)).map((wire) => wire.id),
      missing: found.flatMap(({ id, wire, reason, isMalformed }) =>
        wire === null ? [{ id, reason, ...(isMalformed ? { isMalformed } : {}) }] : [],
      ),
    }
  }

  #isAs(wire: WireItem, known: ItemShape | undefined): boolean {
    return known?.rev === wire.rev && known.relationsFingerprint === this.#shapeOf(wire).relationsFingerprint
  }

  #shapeOf(wire: WireItem): ItemShape {
    return {
      rev: wire.rev,
      relationsFingerprint: fingerprintRelations(wire.relations ?? [], this.#settings.address.base),
    }
  }

  /**
   * Entries are matched by id, as the tracker may leave some out, send null for them, or reorder. Where one id spoils
   * the batch, or the batch is too large to take, its halves are asked for.
   */
  async #batch(ids: readonly number[], signal: AbortSignal): Promise<FoundItem[]> {
    if (ids.length === 0) return []
    const body = { ids, $expand: 'relations', errorPolicy: 'omit' }
    const ask = { method: 'POST', path: '/_apis/wit/workitemsbatch', body } as const
    try {
      const { value } = await this.#settings.client.read(ask, WireList, signal)
      return value.flatMap(parseEntry)
    } catch (error) {
      if (!isBatchFailure(error)) throw error
      if (ids.length === 1) {
        const malformed = error instanceof ResponseTooLargeError ? { isMalformed: true as const } : {}
        return [{ id: ids[0]!, wire: null, reason: error.message, ...malformed }]
      }
      const half = Math.ceil(ids.length / 2)
      const first = await this.#batch(ids.slice(0, half), signal)
      return [...first, ...(await this.#batch(ids.slice(half), signal))]
    }
  }
}

export function selectWireItems(found: readonly FoundItem[]): WireItem[] {
  return found.flatMap(({ wire }) => wire ?? [])
}

function isPossibleId(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id <= MAX_ID
}

function isBatchFailure(error: unknown): error is TrackerError {
  return error instanceof ResponseTooLargeError || (error instanceof TrackerError && error.code === 'not_found')
}

/** Read with its links, an item that names none has none; in the answer to a change that would prove nothing. */
function withRelations(wire: WireItem): WireItem {
  return { ...wire, relations: wire.relations ?? [] }
}

function parseEntry(entry: unknown): FoundItem[] {
  if (isWireItem(entry)) return [{ id: entry.id, wire: withRelations(entry), reason: '' }]
  const id = (entry as { id?: unknown } | null)?.id
  const reason = "The tracker's response for it has an unexpected shape."
  return typeof id === 'number' ? [{ id, wire: null, reason, isMalformed: true }] : []
}
