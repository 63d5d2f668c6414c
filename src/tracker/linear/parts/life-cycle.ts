import { nullOnTrackerError, sendOnce, toOutcome } from '../../services/change-result'
import { createVerificationSignal } from '../../services/requests/verification-signal'
import type { ItemDeletion, ItemRestoring, TransitionReader } from '../../tracker'
import { explainAbsence } from '../find-issues'
import { describeMissing, type IssueParts } from '../issue-reader'
import { NOTHING } from '../linear-client'
import { toCategory } from '../map-issue'

/** An issue may go from any state into any other one. Linear requires nothing for it. */
export function createTransitionReader({ reader, metadata }: IssueParts): TransitionReader {
  return {
    async list(itemId, signal) {
      const { state: present } = await reader.readItem(itemId, signal)
      return (await metadata.get(signal)).states.flatMap(({ name, type }) =>
        name === present ? [] : [{ state: name, category: toCategory(type), name: null, required: [] }],
      )
    },
  }
}

/** Moves issues to the trash, from which they can be restored for some time. */
export function createItemDeletion({ linear, reader }: IssueParts): ItemDeletion {
  /** What Linear says of an issue that it does not show: that it is in the trash, if it is. */
  const findReason = async (id: number, signal: AbortSignal) => (await explainAbsence([id], linear, signal)).get(id)
  return {
    async delete({ id, rev }, signal) {
      const wire = (await reader.source.readWires([id], signal)).get(id)
      if (wire === undefined) {
        if ((await findReason(id, signal))?.startsWith('Deleted')) return { status: 'deleted' }
        return { status: 'rejected', message: describeMissing(id), code: 'not_found' }
      }
      const { rev: present, changedAt } = reader.source.mapItem(wire)
      if (present !== rev)
        return { status: 'conflict', message: `It has changed since: it was last updated at ${changedAt}.` }
      const sending = linear.change('issueDelete', { id: ['String!', wire.id] }, NOTHING, signal)
      const isGone = async (verification: AbortSignal) =>
        (await reader.source.readWires([id], verification)).has(id) ? null : {}
      const sent = await sendOnce(sending, isGone, { signal, limits: linear.limits })
      return sent.kind === 'done' ? { status: 'deleted' } : toOutcome(sent)
    },
  }
}

/** Brings issues back from the trash. */
export function createItemRestoring({ linear, reader }: IssueParts): ItemRestoring {
  return {
    async restore(id, signal) {
      const find = async (signal: AbortSignal) => (await reader.source.readWires([id], signal)).get(id) ?? null
      const present = await find(signal)
      if (present !== null) return { id, status: 'applied', item: reader.source.mapItem(present) }
      const identifier = `${linear.team.key}-${id}`
      const sending = linear.change('issueUnarchive', { id: ['String!', identifier] }, NOTHING, signal)
      const sent = await sendOnce<unknown>(sending, find, { signal, limits: linear.limits })
      if (sent.kind !== 'done') return { id, ...toOutcome(sent) }
      const restored = await nullOnTrackerError(find(createVerificationSignal(signal, linear.limits)))
      return restored === null
        ? { id, status: 'unknown', message: 'Linear accepted it, but the issue could not be read afterwards.' }
        : { id, status: 'applied', item: reader.source.mapItem(restored) }
    },
  }
}
