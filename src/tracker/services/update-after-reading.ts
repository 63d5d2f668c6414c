import { equalsIgnoringCase } from '../../kernel/text/text'
import { chunksOf } from '../../kernel/work/chunks'
import type { ChangeOutcome, ItemChange, ItemLink, ReadOptions, TagChanges, TrackerItem } from '../tracker'
import { type ChangeResult, nullOnTrackerError, toFailedResult, toOutcome } from './change-result'
import type { ItemReader } from './item-reader'
import type { RequestLimits } from './requests/rate-limiter'
import { TrackerError } from './requests/tracker-error'
import { createVerificationSignal } from './requests/verification-signal'

/** The note says what the change took away besides. */
export type SentChange = ChangeResult<unknown> & { note?: string }

/** How an adapter changes items of a tracker that does not test revisions. */
export interface ItemWriter<Wire> {
  reader: ItemReader<Wire>
  limits: RequestLimits
  /** The most changes that are sent together. */
  batchSize: number
  /**
   * Sends changes whose items, and those at the other ends of their links, are in `wires`. Returns a result for each, in order. Throws a
   * TrackerError if nothing was sent.
   */
  send(changes: readonly ItemChange[], wires: ReadonlyMap<number, Wire>, signal: AbortSignal): Promise<SentChange[]>
  /** Whether the item has the value, which may be of another spelling. */
  hasValue(item: TrackerItem, name: string, value: FieldValue): boolean
}

export type FieldValue = ItemChange['fields'][string]

/** Few, because so many items are read before the first of their changes is sent. */
const READ_SIZE = 20
const INTERRUPTED = 'Interrupted before it was sent.'

/**
 * Sends changes, one batch after another. The tracker does not test revisions, so each item is read just before and compared with the revision
 * of its change. After a lost response the items are read again. Throws only before the first change is sent.
 */
export async function updateAfterReading<Wire>(
  changes: readonly ItemChange[],
  { signal, onProgress }: ReadOptions,
  writer: ItemWriter<Wire>,
): Promise<ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = []
  const progress: Progress = { hasBegun: false, stopReason: null }
  for (const chunk of chunksOf(changes, READ_SIZE)) {
    const wires = await readBefore(chunk, { writer, progress, signal })
    const settled = new Map<ItemChange, Settled>()
    const ready: ItemChange[] = []
    for (const change of chunk) {
      const obstacle = wires === null ? null : findObstacle(change, wires, writer)
      if (obstacle === null) ready.push(change)
      else settled.set(change, obstacle)
    }
    for (const batch of chunksOf(ready, writer.batchSize)) {
      const results = await sendBatch(batch, { wires, writer, progress, signal })
      for (const [index, change] of batch.entries()) settled.set(change, results[index]!)
    }
    outcomes.push(...(await createOutcomes(chunk, settled, writer, signal)))
    onProgress?.(outcomes.length, changes.length)
  }
  return outcomes
}

type Settled = ChangeOutcome | SentChange

interface Progress {
  /** Whether a change may have been applied. */
  hasBegun: boolean
  /** Why nothing more is sent; null as long as changes are sent. */
  stopReason: string | null
}

interface Sending<Wire> {
  writer: ItemWriter<Wire>
  progress: Progress
  signal: AbortSignal
}

/** Null if the items cannot be read after changes were sent. Then nothing more is sent. */
async function readBefore<Wire>(
  changes: readonly ItemChange[],
  { writer, progress, signal }: Sending<Wire>,
): Promise<ReadonlyMap<number, Wire> | null> {
  return writer.reader.source.readWires(listIds(changes), signal).catch((error: unknown) => {
    if (!progress.hasBegun || !(error instanceof TrackerError)) throw error
    progress.stopReason ??= `Not sent after: ${error.message}`
    return null
  })
}

async function sendBatch<Wire>(
  batch: readonly ItemChange[],
  { wires, writer, progress, signal }: Sending<Wire> & { wires: ReadonlyMap<number, Wire> | null },
): Promise<Settled[]> {
  if (signal.aborted) progress.stopReason ??= INTERRUPTED
  const skip = ({ id }: ItemChange): ChangeOutcome => ({ id, status: 'notAttempted', message: progress.stopReason! })
  if (wires === null || progress.stopReason !== null) return batch.map(skip)
  const results = await writer.send(batch, wires, signal).catch((error: unknown) => {
    if (error instanceof TrackerError) return batch.map(() => toFailedResult(error))
    throw error
  })
  progress.hasBegun ||= results.some(({ kind }) => kind !== 'refused')
  for (const result of results) {
    if (result.kind === 'refused' && !progress.hasBegun && !signal.aborted) throw result.error
    if (result.kind === 'refused')
      progress.stopReason ??= signal.aborted ? INTERRUPTED : `Not sent after: ${result.error.message}`
    if (result.kind === 'unknown') progress.stopReason ??= `Not sent after: ${result.message}`
  }
  return results.map((result, index) => (result.kind === 'refused' ? skip(batch[index]!) : result))
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
  if (missing !== undefined)
    return { id, status: 'rejected', message: source.describeMissing(missing), code: 'not_found' }
  const { rev, changedAt } = source.mapItem(wires.get(id)!)
  return rev === change.rev
    ? null
    : { id, status: 'conflict', message: `It has changed since: it was last updated at ${changedAt}.` }
}

/** Reads the items whose changes were sent, and determines the outcome of each change. */
async function createOutcomes<Wire>(
  changes: readonly ItemChange[],
  settled: ReadonlyMap<ItemChange, Settled>,
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
  result: SentChange,
  { item, writer }: { item: TrackerItem | undefined; writer: ItemWriter<Wire> },
): ChangeOutcome {
  const { id } = change
  if (result.kind === 'rejected') return { id, ...toOutcome(result) }
  const lost = result.kind === 'unknown' ? result.message : null
  if (item === undefined)
    return {
      id,
      status: 'unknown',
      message: lost ?? 'The change was accepted, but the item could not be read afterwards.',
    }
  if (lost === null || isApplied(change, item, writer))
    return { id, status: 'applied', item, ...(result.note && { message: result.note }) }
  return { id, status: 'unknown', message: `${lost} The item does not have all of the new values.` }
}

function isApplied<Wire>(
  { fields, links, tags }: ItemChange,
  item: TrackerItem,
  { hasValue }: ItemWriter<Wire>,
): boolean {
  return (
    Object.entries(fields).every(([name, value]) => hasValue(item, name, value)) &&
    (links?.add ?? []).every((link) => hasLink(item, link)) &&
    !(links?.remove ?? []).some((link) => link.kind === 'child' || hasLink(item, link)) &&
    hasTags(item, tags)
  )
}

/** Whether an item has a link. Those of a child are on the other item, so they are never seen here. */
export function hasLink(item: TrackerItem, { kind, id }: ItemLink): boolean {
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

/** Whether an item has the tags that were to be added, and none that were to be removed. */
export function hasTags(
  { tags }: Pick<TrackerItem, 'tags'>,
  { add, remove }: TagChanges = { add: [], remove: [] },
): boolean {
  const has = (tag: string) => tags.some((one) => equalsIgnoringCase(one, tag.trim()))
  return add.every(has) && !remove.some(has)
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
