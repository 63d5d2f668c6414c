import { chunksOf } from '../../kernel/work/chunks'
import { toOutcome } from '../services/change-result'
import { TrackerError } from '../services/requests/tracker-error'
import { createVerificationSignal } from '../services/requests/verification-signal'
import type { ChangeOutcome, ItemChange, ReadOptions, TrackerItem } from '../tracker'
import { ChangeSender, type ChangeStatus, INTERRUPTED_BEFORE_SENDING } from './change-sender'
import { type AdapterParts, type ItemReader, selectWireItems } from './item-reader'
import type { ProcessMetadata } from './process-metadata'
import type { WireItem } from './wire-schemas'

/**
 * Sends the changes in batches, one after another. Throws only before the first change is sent. After that every change has an
 * outcome, and an error that concerns all of them, or an interruption, leaves the rest not attempted.
 */
export async function updateItems(
  changes: readonly ItemChange[],
  { signal, onProgress }: ReadOptions,
  parts: AdapterParts,
): Promise<ChangeOutcome[]> {
  const { client, metadata, reader } = parts
  if (!(await loadProcess(metadata, signal))) {
    return changes.map(({ id }) => ({ id, status: 'notAttempted', message: INTERRUPTED_BEFORE_SENDING }))
  }
  const sender = new ChangeSender(parts, signal)
  const outcomes: ChangeOutcome[] = []
  for (const chunk of chunksOf(changes, client.limits.batchSize)) {
    // Copies, because statuses are looked up by object and a change may be listed twice.
    const statuses = await sender.send(chunk.map((change) => ({ ...change })))
    const ids = chunk.map((change) => change.id)
    const verification = createVerificationSignal(signal, client.limits)
    const items = await readChangedItems(ids, statuses, { reader, signal: verification })
    outcomes.push(...ids.map((id, i) => createOutcome(id, statuses[i]!, items.get(id) ?? null)))
    onProgress?.(outcomes.length, changes.length)
  }
  return outcomes
}

/** Reads what mapping the items will need, so that a wrong project or token shows before anything is sent. False if interrupted. */
async function loadProcess(metadata: ProcessMetadata, signal: AbortSignal): Promise<boolean> {
  try {
    await metadata.forItems([], signal)
    return true
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}

/** The changed items with their links. Items whose response has no links are read again. */
async function readChangedItems(
  ids: readonly number[],
  statuses: readonly ChangeStatus[],
  { reader, signal }: { reader: ItemReader; signal: AbortSignal },
): Promise<Map<number, TrackerItem>> {
  const wires = new Map<number, WireItem>()
  const toRead = new Set<number>()
  for (const [i, status] of statuses.entries()) {
    if (status.kind !== 'applied') continue
    if (status.wire !== null) wires.set(ids[i]!, status.wire)
    if (status.wire?.relations == null) toRead.add(ids[i]!)
  }
  const found = toRead.size === 0 ? [] : await reader.readWireItems([...toRead], signal).catch(ignoreTrackerError)
  for (const wire of selectWireItems(found)) wires.set(wire.id, wire)
  const items = wires.size === 0 ? [] : await reader.mapItems([...wires.values()], signal).catch(ignoreTrackerError)
  return new Map(items.map((item) => [item.id, item]))
}

/** The change was applied, whether or not the item can be read afterwards. */
function ignoreTrackerError(error: unknown): never[] {
  if (error instanceof TrackerError) return []
  throw error
}

function createOutcome(id: number, status: ChangeStatus, item: TrackerItem | null): ChangeOutcome {
  if (status.kind === 'applied') {
    const message = 'The tracker accepted the change, but the item could not be read afterwards.'
    return item === null ? { id, status: 'unknown', message } : { id, status: 'applied', item }
  }
  if (status.kind === 'rejected') return { id, ...toOutcome(status) }
  const { kind, message } = status
  const isKnown = kind === 'conflict' || kind === 'notAttempted'
  return { id, status: isKnown ? kind : 'unknown', message }
}
