import type { CreationOutcome, NewItem, Rejection, TrackerItem } from '../../tracker'
import { type ChangeResult, nullOnTrackerError, sendOnce, toOutcome } from '../change-result'
import type { ItemReader } from '../item-reader'
import type { RequestLimits } from '../requests/rate-limiter'

/** How an adapter creates an item that carries a marker. */
export interface ItemCreator<Wire, Input> {
  reader: ItemReader<Wire>
  limits: RequestLimits
  /** What to send, or why the tracker would reject it. `parent` is null for an item without one. */
  resolve(parent: Wire | null): Promise<{ input: Input } | ({ problem: string } & Pick<Rejection, 'fields'>)>
  /** Returns the ID of the new item. */
  send(input: Input): Promise<ChangeResult<number>>
  /** Finds the item by its marker. */
  find(signal: AbortSignal): Promise<TrackerItem | null>
}

/**
 * Creates an item. A lost response does not say whether it was created, so then it is searched by its marker, and it is never sent twice.
 * Throws only if no item was created.
 */
export async function createWithMarker<Wire, Input>(
  { parentId }: Pick<NewItem, 'parentId'>,
  { signal, validateOnly = false }: { signal: AbortSignal; validateOnly?: boolean },
  { reader, limits, resolve, send, find }: ItemCreator<Wire, Input>,
): Promise<CreationOutcome> {
  const parent = parentId === null ? null : (await reader.source.readWires([parentId], signal)).get(parentId)
  if (parent === undefined) throw reader.createNotFoundError(parentId!)
  const resolved = await resolve(parent)
  if ('problem' in resolved) return toOutcome({ ...resolved, kind: 'rejected', message: resolved.problem })
  if (validateOnly) return { status: 'created', id: null, item: null }
  const findId = async (verification: AbortSignal) => (await find(verification))?.id ?? null
  const sent = await sendOnce(send(resolved.input), findId, { signal, limits })
  if (sent.kind !== 'done') return toOutcome(sent)
  const item = await nullOnTrackerError(reader.readItem(sent.data, signal))
  return { status: 'created', id: sent.data, item }
}
