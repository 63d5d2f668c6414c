import * as z from 'zod'
import { equalsIgnoringCase } from '../../../kernel/text/text'
import { sendOnce, toOutcome } from '../../services/change-result'
import type { ItemDeletion, ItemTransition, TransitionReader } from '../../tracker-parts'
import { toWorkItemId } from '../address'
import type { ItemParts } from '../item-reader'
import { mapItem, STATES, toCategory } from '../map-item'
import { sendChange } from '../send-steps'

/** An item may go from each status to each other one. */
export function createTransitionReader({ reader, metadata }: ItemParts): TransitionReader {
  return {
    async list(itemId, signal) {
      const item = await reader.readItem(itemId, signal)
      const type = (await metadata.get(signal)).types.find(({ name }) => equalsIgnoringCase(name, item.type))
      const statuses = (type?.statuses ?? []).map((one) => ({ ...one, category: toCategory(one.category) }))
      return (statuses.length > 0 ? statuses : STATES)
        .filter(({ name }) => name !== item.state)
        .map(({ name, category }): ItemTransition => ({ state: name, category, name: null, required: [] }))
    },
  }
}

/** GitLab deletes an item for ever. */
export function createDeletion({ reader, graphql }: ItemParts): ItemDeletion {
  /** Undefined if the item is gone. A token that cannot read the project sees no items either, which says nothing of them. */
  const read = async (id: number, signal: AbortSignal) => {
    const wire = (await reader.source.readWires([id], signal)).get(id)
    const refusal = wire === undefined && reader.source.findRefusal?.(id)
    if (refusal) throw refusal
    if (wire === undefined) await graphql.queryProject({ select: () => 'fullPath' }, z.object({}), signal)
    return wire
  }
  return {
    async delete({ id, rev }, signal) {
      const wire = await read(id, signal)
      if (wire === undefined) return { status: 'deleted' }
      const item = mapItem(wire)
      if (item.rev !== rev)
        return { status: 'conflict', message: `It has changed since: it was last updated at ${item.changedAt}.` }
      const step = { name: 'workItemDelete', input: { id: toWorkItemId(id) } }
      const look = async (verification: AbortSignal) => ((await read(id, verification)) === undefined ? true : null)
      const sending = sendChange(step, z.unknown(), graphql, signal)
      const sent = await sendOnce(sending, look, { signal, limits: graphql.limits })
      return sent.kind === 'done' ? { status: 'deleted' } : toOutcome(sent)
    },
  }
}
