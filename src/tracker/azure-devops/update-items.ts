import type { ChangeOutcome, ItemChange, ReadOptions, TrackerItem } from '../tracker'
import type { Client } from './client'
import { TrackerFault } from './fault'
import { chunksOf } from './in-parallel'
import type { ItemReader } from './item-reader'
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
    const wires = await freshWires(fates, sources.reader, signal)
    const mapped = (wire: WireItem): TrackerItem => sources.reader.mapped(wire, process)
    outcomes.push(...chunk.map(({ id }, i) => outcomeOf(id, fates[i]!, wires.get(id) ?? null, mapped)))
    onProgress?.(outcomes.length, changes.length)
  }
  return outcomes
}
