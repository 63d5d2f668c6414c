import { sendOnce, toOutcome } from '../../services/change-result'
import { createItemRestoring } from '../../services/parts/deletion'
import { TrackerError } from '../../services/requests/tracker-error'
import type { DeletionOutcome, ItemDeletion } from '../../tracker'
import { type AdapterParts, selectWireItems } from '../item-reader'
import { explainAbsence } from '../recycle-bin'
import { listLinkedIds } from '../relations'
import { buildProjectPath } from '../urls'
import { sendChange } from './send-change'

/** Moves items to the recycle bin. The request carries no revision that the tracker could test, so the item is read just before. */
export function createItemDeletion(parts: AdapterParts): ItemDeletion {
  const { client, project, reader } = parts

  async function findWire(id: number, signal: AbortSignal) {
    const [found] = await reader.readWireItems([id], signal)
    if (found!.isMalformed) throw new TrackerError('tracker_answer', found!.reason)
    return { wire: found!.wire, reason: found!.reason }
  }

  return {
    async delete({ id, rev }, signal): Promise<DeletionOutcome> {
      const { wire, reason } = await findWire(id, signal)
      if (wire === null) {
        const isDeleted = (await explainAbsence([id], parts, signal)).has(id)
        return isDeleted ? { status: 'deleted' } : { status: 'rejected', message: reason, code: 'not_found' }
      }
      if (wire.rev !== rev) return { status: 'conflict', message: `The item has revision ${wire.rev} now.` }
      const path = buildProjectPath(await project.get(signal), `_apis/wit/workitems/${id}`)
      const sent = await sendOnce<unknown>(
        sendChange({ method: 'DELETE', path }, parts, signal),
        async (verification) => ((await findWire(id, verification)).wire === null ? {} : null),
        { signal, limits: client.limits },
      )
      if (sent.kind !== 'done') return toOutcome(sent)
      const children = listLinkedIds(wire.relations ?? [], 'child')
      return { status: 'deleted', ...(children.length > 0 && { message: describeChildren(children) }) }
    },
  }
}

function describeChildren(ids: readonly number[]): string {
  const named = ids.slice(0, MAX_NAMED).map((id) => `#${id}`)
  const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : ''
  return `Items below it are not deleted: ${named.join(', ')}${more}.`
}

const MAX_NAMED = 10

export function createRestoring(parts: AdapterParts) {
  const { client, project, reader } = parts
  return createItemRestoring({
    limits: client.limits,
    async find(id, signal) {
      const wires = selectWireItems(await reader.readWireItems([id], signal))
      return (await reader.mapItems(wires, signal))[0] ?? null
    },
    async send(id, signal) {
      const path = buildProjectPath(await project.get(signal), `_apis/wit/recyclebin/${id}`)
      return sendChange({ method: 'PATCH', path, body: { isDeleted: false } }, parts, signal)
    },
  })
}
