import { chunksOf } from '../../kernel/chunks'
import type { ChangeOutcome, ItemChange, ItemLink, ReadOptions, TrackerItem } from '../tracker'
import { type ChangeResult, nullOnTrackerError, toFailedResult } from './change-result'
import type { ItemReader } from './item-reader'
import type { RequestLimits } from './rate-limiter'
import { TrackerError } from './tracker-error'
import { createVerificationSignal } from './verification-signal'

/** How an adapter changes items of a tracker that does not test revisions. */
export interface ItemWriter<Wire> {
  reader: ItemReader<Wire>
  limits: RequestLimits
  /** Sends a change whose items, and those at the other ends of its links, are in `wires`. Throws a TrackerError if nothing was sent. */
  send(change: ItemChange, wires: ReadonlyMap<number, Wire>, signal: AbortSignal): Promise<ChangeResult<unknown>>
  /** Whether the item has the value, which may be of another spelling. */
  hasValue(item: TrackerItem, name: string, value: FieldValue): boolean
}

export type FieldValue = ItemChange['fields'][string]

/** Few, because the items of a batch are read before the first of its changes is sent. */
const BATCH_SIZE = 20
const INTERRUPTED = 'Interrupted before it was sent.'

/**
 * Sends changes one after another. The tracker does not test revisions, so each item is read just before and compared with the revision of
 * its change. After a lost response the item is read again. Throws only before the first change is sent.
 */
export async function updateAfterReading<Wire>(
  changes: readonly ItemChange[],
  { signal, onProgress }: ReadOptions,
  writer: ItemWriter<Wire>,
): Promise<ChangeOutcome[]> {
  const { source } = writer.reader
  const outcomes: ChangeOutcome[] = []
  let stopReason: string | null = null
  let hasBegun = false
  for (const chunk of chunksOf(changes, BATCH_SIZE)) {
    const wires = await source.readWires(listIds(chunk), signal).catch((error: unknown) => {
      if (!hasBegun || !(error instanceof TrackerError)) throw error
      stopReason ??= `Not sent after: ${error.message}`
      return new Map<number, Wire>()
    })
    const settled = new Map<ItemChange, ChangeOutcome | ChangeResult<unknown>>()
    for (const change of chunk) {
      if (signal.aborted) stopReason ??= INTERRUPTED
      const { id } = change
      const obstacle: ChangeOutcome | null =
        stopReason === null
          ? findObstacle(change, wires, writer)
          : { id, status: 'notAttempted', message: stopReason as string }
      if (obstacle !== null) {
        settled.set(change, obstacle)
        continue
      }
      const result = await writer.send(change, wires, signal).catch((error: unknown) => {
        if (error instanceof TrackerError) return toFailedResult(error)
        throw error
      })
      if (result.kind === 'refused') {
        if (!hasBegun && !signal.aborted) throw result.error
        stopReason = signal.aborted ? INTERRUPTED : `Not sent after: ${result.error.message}`
        settled.set(change, { id, status: 'notAttempted', message: stopReason })
        continue
      }
      hasBegun = true
      settled.set(change, result)
      if (result.kind === 'unknown') stopReason = `Not sent after: ${result.message}`
    }
    outcomes.push(...(await createOutcomes(chunk, settled, writer, signal)))
    onProgress?.(outcomes.length, changes.length)
  }
  return outcomes
}

/** The items of the changes, and those at the other ends of their links. */
function listIds(changes: readonly ItemChange[]): number[] {
  const others = changes.flatMap(({ links }) => [...(links?.add ?? []), ...(links?.remove ?? [])])
  return [...new Set([...changes, ...others].map(({ id }) => id))]
}

function findObstacle<Wire>(
  change: ItemChange,
  wires: ReadonlyMap<number, Wire>,
  { reader: { source } }: ItemWriter<Wire>,
): ChangeOutcome | null {
  const { id } = change
  const missing = listIds([change]).find((one) => !wires.has(one))
  if (missing !== undefined) return { id, status: 'rejected', message: source.describeMissing(missing) }
  const { rev, changedAt } = source.mapItem(wires.get(id)!)
  return rev === change.rev
    ? null
    : { id, status: 'conflict', message: `It has changed since: it was last updated at ${changedAt}.` }
}

/** Reads the items whose changes were sent, and determines the outcome of each change. */
async function createOutcomes<Wire>(
  changes: readonly ItemChange[],
  settled: ReadonlyMap<ItemChange, ChangeOutcome | ChangeResult<unknown>>,
  writer: ItemWriter<Wire>,
  signal: AbortSignal,
): Promise<ChangeOutcome[]> {
  const { source } = writer.reader
  const ids = changes.filter((change) => 'kind' in settled.get(change)!).map(({ id }) => id)
  const verification = createVerificationSignal(signal, writer.limits)
  const wires = ids.length === 0 ? null : await nullOnTrackerError(source.readWires(ids, verification))
  return changes.map((change) => {
    const result = settled.get(change)!
    if (!('kind' in result)) return result
    const wire = wires?.get(change.id)
    return createOutcome(change, result, { item: wire && source.mapItem(wire), writer })
  })
}

/** After a lost response, the values of the item show whether the change was applied. */
function createOutcome<Wire>(
  change: ItemChange,
  result: ChangeResult<unknown>,
  { item, writer }: { item: TrackerItem | undefined; writer: ItemWriter<Wire> },
): ChangeOutcome {
  const { id } = change
  if (result.kind === 'rejected') return { id, status: 'rejected', message: result.message }
  const lost = result.kind === 'unknown' ? result.message : null
  if (item === undefined)
    return {
      id,
      status: 'unknown',
      message: lost ?? 'The change was accepted, but the item could not be read afterwards.',
    }
  if (lost === null || isApplied(change, item, writer)) return { id, status: 'applied', item }
  return { id, status: 'unknown', message: `${lost} The item does not have all of the new values.` }
}

function isApplied<Wire>({ fields, links }: ItemChange, item: TrackerItem, { hasValue }: ItemWriter<Wire>): boolean {
  return (
    Object.entries(fields).every(([name, value]) => hasValue(item, name, value)) &&
    (links?.add ?? []).every((link) => hasLink(item, link)) &&
    !(links?.remove ?? []).some((link) => link.kind === 'child' || hasLink(item, link))
  )
}

/** The links of a child are on the other item, so they are never seen here. */
function hasLink(item: TrackerItem, { kind, id }: ItemLink): boolean {
  const { parentId, predecessorIds, successorIds, relatedIds } = item
  const ids = {
    parent: [parentId],
    child: [],
    predecessor: predecessorIds,
    successor: successorIds,
    related: relatedIds,
  }
  return (ids[kind] as (number | null)[]).includes(id)
}

/** Whether an item has a value as it was sent. Trackers store texts with other line ends. */
export function isSameValue(found: unknown, value: FieldValue, kind: 'tags' | 'person' | 'other' = 'other'): boolean {
  const [text, other] = [String(found ?? ''), String(value ?? '')]
  if (kind === 'tags') return isSameTags(text, other)
  if (kind === 'person') return text.toLowerCase() === other.replace(/^@/, '').toLowerCase()
  return found === value || isSameText(text, other)
}

export function isSameText(a: string, b: string): boolean {
  return a.replace(/\r\n?/g, '\n').trim() === b.replace(/\r\n?/g, '\n').trim()
}

/** The tags of a list such as `gate; lamp`. */
export function splitTags(text: string): string[] {
  return text
    .split(';')
    .map((tag) => tag.trim())
    .filter(Boolean)
}

/** Compares lists such as `gate; lamp` without regard to order and case. */
export function isSameTags(a: string, b: string): boolean {
  const [first, second] = [a, b].map((text) => splitTags(text.toLowerCase()).sort().join(';'))
  return first === second
}
