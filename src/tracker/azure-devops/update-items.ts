import type { ChangeOutcome, ItemChange, ReadOptions, TrackerItem } from '../tracker'
import type { Client } from './client'
import { TrackerFault } from './fault'
import { signalForFindingOut } from './grace'
import { chunksOf } from './in-parallel'
import { type ItemReader, wiresIn } from './item-reader'
import type { Metadata } from './metadata'
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
  const { client, metadata, reader } = sources
  if (!(await isReady(metadata, signal))) {
    return changes.map(({ id }) => ({ id, status: 'notAttempted', message: interruptedBefore }))
  }
  const sending = new Sending(client, reader, signal)
  const outcomes: ChangeOutcome[] = []
  for (const chunk of chunksOf(changes, client.limits.batchSize)) {
    // Copies, so that a change given twice has two fates.
    const fates = await sending.send(chunk.map((change) => ({ ...change })))
    const ids = chunk.map((change) => change.id)
    const items = await changedItems(ids, fates, { reader, signal: signalForFindingOut(signal, client.limits) })
    outcomes.push(...ids.map((id, i) => outcomeOf(id, fates[i]!, items.get(id) ?? null)))
    onProgress?.(outcomes.length, changes.length)
  }
  return outcomes
}

/** Asks what mapping the items will need, so that a wrong project or token shows before anything is sent. */
async function isReady(metadata: Metadata, signal: AbortSignal): Promise<boolean> {
  try {
    await metadata.forItems([], signal)
    return true
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}

/** The items that were changed, whole: read again where the answer to the change did not show their links. */
async function changedItems(
  ids: readonly number[],
  fates: readonly Fate[],
  { reader, signal }: { reader: ItemReader; signal: AbortSignal },
): Promise<Map<number, TrackerItem>> {
  const wires = new Map<number, WireItem>()
  const toRead = new Set<number>()
  for (const [i, fate] of fates.entries()) {
    if (fate.kind !== 'applied') continue
    if (fate.wire !== null) wires.set(ids[i]!, fate.wire)
    if (fate.wire?.relations == null) toRead.add(ids[i]!)
  }
  const found = toRead.size === 0 ? [] : await reader.wires([...toRead], signal).catch(noneIfFaulty)
  for (const wire of wiresIn(found)) wires.set(wire.id, wire)
  const items = wires.size === 0 ? [] : await reader.mapped([...wires.values()], signal).catch(noneIfFaulty)
  return new Map(items.map((item) => [item.id, item]))
}

/** The change stands, whatever becomes of reading the item once more. */
function noneIfFaulty(error: unknown): never[] {
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
