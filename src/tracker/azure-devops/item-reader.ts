import { chunksOf } from '../../kernel/work/chunks'
import { mapConcurrentlyInOrder } from '../services/requests/map-concurrently'
import type { RetryingClient } from '../services/requests/retrying-client'
import { ResponseTooLargeError, TrackerError } from '../services/requests/tracker-error'
import type { TrackerAddress } from '../services/tracker-address'
import type { ItemPage, ItemShape, KnownShapes, MissingItem, ReadOptions, TrackerItem } from '../tracker'
import { fieldNames, parseText } from './field-values'
import { mapItem } from './map-item'
import type { ProcessMetadata } from './process-metadata'
import type { ProjectResolver } from './project-resolver'
import { fingerprintRelations } from './relations'
import { isWireItem, MAX_ID, WireItem, WireList } from './wire-schemas'

const UNREADABLE_REASON = 'It does not exist in the tracker, or this token may not read it.'

interface ItemReaderSettings {
  address: TrackerAddress
  /** The web page of an item. */
  pageUrl(id: number): string
  client: RetryingClient
  metadata: ProcessMetadata
}

/** The result for an ID. `wire` is complete, or null if the item cannot be read for the `reason`. */
interface FoundItem {
  id: number
  wire: WireItem | null
  reason: string
  isMalformed?: true
}

/** The parts of the adapter that its functions share. */
export interface AdapterParts {
  address: TrackerAddress
  client: RetryingClient
  project: ProjectResolver
  metadata: ProcessMetadata
  reader: ItemReader
}

/** Reads items with all fields and all links. */
export class ItemReader {
  constructor(private readonly settings: ItemReaderSettings) {}

  async readItem(id: number, signal: AbortSignal): Promise<TrackerItem> {
    const [wire] = await Promise.all([this.readWire(id, signal), this.settings.metadata.forItems([], signal)])
    return (await this.mapItems([wire], signal))[0]!
  }

  async readShape(id: number, signal: AbortSignal): Promise<ItemShape> {
    return this.#getShape(await this.readWire(id, signal))
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
    const { client, metadata } = this.settings
    const bounds = { limit: client.limits.maxConcurrent, signal }
    const read = async (chunk: readonly number[], signal: AbortSignal) => {
      // If all items may be unchanged, the process is requested only when one has changed.
      const isAllKnown = chunk.every((id) => known.has(id))
      const process = isAllKnown ? null : metadata.forItems([], signal)
      const [found] = await Promise.all([this.readWireItems(chunk, signal), process])
      return this.#createPage(found, known, signal)
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
    const found = new Map((await this.#readBatch(possible, signal)).map((entry) => [entry.id, entry]))
    return ids.map((id) => found.get(id) ?? { id, wire: null, reason: UNREADABLE_REASON })
  }

  async mapItems(wires: readonly WireItem[], signal: AbortSignal): Promise<TrackerItem[]> {
    const { address, metadata, pageUrl: urlOf } = this.settings
    const types = [...new Set(wires.map((wire) => parseText(wire.fields[fieldNames.type])))]
    const process = await metadata.forItems(types, signal)
    return wires.map((wire) => mapItem(wire, { ...process, pageUrl: urlOf, base: address.base }))
  }

  /** Throws `not_found` if it cannot be read. */
  async readWire(id: number, signal: AbortSignal): Promise<WireItem> {
    if (!isPossibleId(id)) throw new TrackerError('not_found', `Work item ${id} does not exist in the tracker.`)
    const request = { method: 'GET', path: `/_apis/wit/workitems/${id}`, query: { $expand: 'relations' } } as const
    return this.settings.client.read(request, WireItem, signal)
  }

  async #createPage(found: readonly FoundItem[], known: KnownShapes, signal: AbortSignal): Promise<ItemPage> {
    const wires = selectWireItems(found)
    const changed = new Set(wires.filter((wire) => !this.#isUnchanged(wire, known.get(wire.id))))
    return {
      items: changed.size === 0 ? [] : await this.mapItems([...changed], signal),
      unchanged: wires.filter((wire) => !changed.has(wire)).map((wire) => wire.id),
      missing: found.flatMap(({ id, wire, reason, isMalformed }) =>
        wire === null ? [{ id, reason, ...(isMalformed ? { isMalformed } : {}) }] : [],
      ),
    }
  }

  #isUnchanged(wire: WireItem, known: ItemShape | undefined): boolean {
    return known?.rev === wire.rev && known.relationsFingerprint === this.#getShape(wire).relationsFingerprint
  }

  #getShape(wire: WireItem): ItemShape {
    return {
      rev: wire.rev,
      relationsFingerprint: fingerprintRelations(wire.relations ?? [], this.settings.address.base),
    }
  }

  /**
   * Matches entries by ID, because the tracker may omit, reorder or null some of them. If one ID makes the batch fail, or the response is
   * too large, requests the two halves.
   */
  async #readBatch(ids: readonly number[], signal: AbortSignal): Promise<FoundItem[]> {
    if (ids.length === 0) return []
    const body = { ids, $expand: 'relations', errorPolicy: 'omit' }
    const request = { method: 'POST', path: '/_apis/wit/workitemsbatch', body } as const
    try {
      const { value } = await this.settings.client.read(request, WireList, signal)
      return value.flatMap(parseEntry)
    } catch (error) {
      if (!isBatchFailure(error)) throw error
      if (ids.length === 1) {
        const malformed = error instanceof ResponseTooLargeError ? { isMalformed: true as const } : {}
        return [{ id: ids[0]!, wire: null, reason: error.message, ...malformed }]
      }
      const half = Math.ceil(ids.length / 2)
      const first = await this.#readBatch(ids.slice(0, half), signal)
      return [...first, ...(await this.#readBatch(ids.slice(half), signal))]
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

/** An item that was read with its links and lists none has none. This is not true of the response to a change. */
function withRelations(wire: WireItem): WireItem {
  return { ...wire, relations: wire.relations ?? [] }
}

function parseEntry(entry: unknown): FoundItem[] {
  if (isWireItem(entry)) return [{ id: entry.id, wire: withRelations(entry), reason: '' }]
  const id = (entry as { id?: unknown } | null)?.id
  const reason = "The tracker's response for it has an unexpected shape."
  return typeof id === 'number' ? [{ id, wire: null, reason, isMalformed: true }] : []
}
