import type { ItemDeletion, ItemRestoring, TrackerItem } from '../../tracker'
import { type ChangeResult, nullOnTrackerError, sendOnce, sendOnceAs, toOutcome } from '../change-result'
import type { ItemReader } from '../item-reader'
import type { RequestLimits } from '../requests/rate-limiter'
import { createVerificationSignal } from '../requests/verification-signal'

/** How an adapter deletes an item. */
interface DeletionSource<Wire> {
  reader: ItemReader<Wire>
  limits: RequestLimits
  /** Whether an item that cannot be read was deleted. Throws if the tracker says nothing of any item. */
  isDeleted(id: number, signal: AbortSignal): Promise<boolean>
  send(wire: Wire, signal: AbortSignal): Promise<ChangeResult<unknown>>
}

/** Deletes items for an adapter whose tracker does not test the revision, so that the item is read just before. */
export function createItemDeletion<Wire>({ reader, limits, isDeleted, send }: DeletionSource<Wire>): ItemDeletion {
  const find = async (id: number, signal: AbortSignal) => {
    const wire = (await reader.source.readWires([id], signal)).get(id)
    const refusal = wire === undefined && reader.source.findRefusal?.(id)
    if (refusal) throw refusal
    return wire
  }
  return {
    async delete({ id, rev }, signal) {
      const wire = await find(id, signal)
      if (wire === undefined) {
        if (await isDeleted(id, signal)) return { status: 'deleted' }
        return { status: 'rejected', message: reader.source.describeMissing(id), code: 'not_found' }
      }
      const { rev: present, changedAt } = reader.source.mapItem(wire)
      if (present !== rev)
        return { status: 'conflict', message: `It has changed since: it was last updated at ${changedAt}.` }
      const look = async (verification: AbortSignal) =>
        (await find(id, verification)) === undefined && (await isDeleted(id, verification)) ? {} : null
      const options = { signal, limits }
      const outcome = await sendOnceAs<unknown, { status: 'deleted' }>(
        send(wire, signal),
        look,
        () => ({ status: 'deleted' }),
        options,
      )
      const isGone = outcome.status === 'rejected' && outcome.code === 'not_found' && (await look(signal)) !== null
      return isGone ? { status: 'deleted' } : outcome
    },
  }
}

/** How an adapter brings a deleted item back. */
interface RestoringSource {
  limits: RequestLimits
  /** Null if the item cannot be read. */
  find(id: number, signal: AbortSignal): Promise<TrackerItem | null>
  send(id: number, signal: AbortSignal): Promise<ChangeResult<unknown>>
}

export function createItemRestoring({ limits, find, send }: RestoringSource): ItemRestoring {
  return {
    async restore(id, signal) {
      const present = await find(id, signal)
      if (present !== null) return { id, status: 'applied', item: present }
      const look = (verification: AbortSignal) => find(id, verification)
      const sent = await sendOnce<unknown>(send(id, signal), look, { signal, limits })
      if (sent.kind !== 'done') return { id, ...toOutcome(sent) }
      const item = await nullOnTrackerError(find(id, createVerificationSignal(signal, limits)))
      const message = 'The tracker restored the item, but it could not be read afterwards.'
      return item === null ? { id, status: 'unknown', message } : { id, status: 'applied', item }
    },
  }
}
