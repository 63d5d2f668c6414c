import type { MissingItem, ReadOptions, TrackerItem } from '../tracker'
import type { Address } from './address'
import type { Client } from './client'
import { AnswerTooLarge, TrackerFault } from './fault'
import { fieldNames, textValue } from './field-values'
import { chunksOf, inParallel } from './in-parallel'
import { itemOf } from './item'
import type { Metadata } from './metadata'
import { WireItem, WireList } from './wire'

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
}

/** Reads items, one or many, always whole: with all fields and all links. */
export class ItemReader {
  readonly #settings: ItemReaderSettings

  constructor(settings: ItemReaderSettings) {
    this.#settings = settings
  }

  async one(id: number, signal: AbortSignal): Promise<TrackerItem> {
    if (!isPossibleId(id)) throw new TrackerFault('not_found', `Work item ${id} does not exist in the tracker.`)
    const ask = { method: 'GET', path: `/_apis/wit/workitems/${id}`, query: { $expand: 'relations' } } as const
    const { client, metadata } = this.#settings
    const [wire] = await Promise.all([client.read(ask, WireItem, signal), metadata.forItems([], signal)])
    return (await this.mapped([wire], signal))[0]!
  }

  async many(
    ids: readonly number[],
    { signal, onProgress }: ReadOptions,
  ): Promise<{ items: TrackerItem[]; missing: MissingItem[] }> {
    const unique = [...new Set(ids)]
    const items = new Map<number, TrackerItem>()
    const missing = new Map<number, MissingItem>()
    const { client, metadata } = this.#settings
    const bounds = { limit: client.limits.inFlight, signal }
    await inParallel(chunksOf(unique, client.limits.batchSize), bounds, async (chunk, signal) => {
      const [found] = await Promise.all([this.wires(chunk, signal), metadata.forItems([], signal)])
      for (const { id, wire, reason } of found) if (wire === null) missing.set(id, { id, reason })
      for (const item of await this.mapped(wiresIn(found), signal)) items.set(item.id, item)
      onProgress?.(items.size + missing.size, unique.length)
    })
    return {
      items: unique.flatMap((id) => items.get(id) ?? []),
      missing: unique.flatMap((id) => missing.get(id) ?? []),
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
      if (ids.length === 1) return [{ id: ids[0]!, wire: null, reason: error.message }]
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
  const parsed = WireItem.safeParse(entry)
  if (parsed.success) return [{ id: parsed.data.id, wire: wholeOf(parsed.data), reason: '' }]
  const id = (entry as { id?: unknown } | null)?.id
  const reason = "The tracker's answer for it has not the expected shape."
  return typeof id === 'number' ? [{ id, wire: null, reason }] : []
}
