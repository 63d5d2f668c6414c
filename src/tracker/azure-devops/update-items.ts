import type { ChangeOutcome, ItemChange, ReadOptions, TrackerItem } from '../tracker'
import type { Client } from './client'
import { TrackerFault } from './fault'
import { chunksOf } from './in-parallel'
import type { Found, ItemReader } from './item-reader'
import type { Metadata, ProcessForItems } from './metadata'
import { type Fate, interruptedBefore, Sending } from './sending'
import type { WireItem } from './wire'

export interface UpdateSources {
  client: Client
  metadata: Metadata
  reader: ItemReader
}

/**
 * Sends the changes in bulks, one after another. Throws only while nothing has begun: afterwards every change has an
 * outcome, and a fault that concerns all of them, or an interruption, leaves the rest not attempted.
 */
export async function updateItems(
  changes: readonly ItemChange[],
  { signal, onProgress }: ReadOptions,
  sources: UpdateSources,
): Promise<ChangeOutcome[]> {
  const process = await processUnlessInterrupted(sources.metadata, signal)
  if (process === null) return changes.map(({ id }) => ({ id, status: 'notAttempted', message: interruptedBefore }))
  const sending = new Sending(sources.client, sources.reader, signal)
  const outcomes: ChangeOutcome[] = []
  for (const chunk of chunksOf(changes, sources.client.limits.batchSize)) {
    // Copies, so that a change given twice has two fates.
    const fates = await sending.send(chunk.map((change) => ({ ...change })))
    const ids = chunk.map((change) => change.id)
    const wires = await freshWires(ids, fates, { reader: sources.reader, signal })
    outcomes.push(
      ...ids.map((id, i) => {
        const wire = wires.get(id)
        return outcomeOf(id, fates[i]!, wire === undefined ? null : sources.reader.mapped(wire, process))
      }),
    )
    onProgress?.(outcomes.length, changes.length)
  }
  return outcomes
}

/** Null where the caller left before anything was sent. */
async function processUnlessInterrupted(metadata: Metadata, signal: AbortSignal): Promise<ProcessForItems | null> {
  try {
    return await metadata.forItems(signal)
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

/** The items that were changed, whole: read again where the answer to the change did not show their links. */
async function freshWires(
  ids: readonly number[],
  fates: readonly Fate[],
  { reader, signal }: { reader: ItemReader; signal: AbortSignal },
): Promise<Map<number, WireItem>> {
  const wires = new Map<number, WireItem>()
  const toRead: number[] = []
  for (const [i, fate] of fates.entries()) {
    if (fate.kind !== 'applied') continue
    if (fate.wire !== null) wires.set(fate.wire.id, fate.wire)
    if (fate.wire?.relations == null) toRead.push(ids[i]!)
  }
  const found = toRead.length === 0 ? [] : await reader.wires([...new Set(toRead)], signal).catch(noneIfFaulty)
  for (const { id, wire } of found) if (wire !== null) wires.set(id, wire)
  return wires
}

/** The change stands, whatever becomes of reading the item once more. */
function noneIfFaulty(error: unknown): Found[] {
  if (error instanceof TrackerFault) return []
  throw error
}

function outcomeOf(id: number, fate: Fate, item: TrackerItem | null): ChangeOutcome {
  if (fate.kind === 'applied') {
    return item === null
      ? { id, status: 'unknown', message: 'The tracker took the change, and the item could not be read since.' }
      : { id, status: 'applied', item }
  }
  const { kind, message } = fate
  if (kind === 'conflict' || kind === 'rejected' || kind === 'notAttempted') return { id, status: kind, message }
  return { id, status: 'unknown', message }
}
