import { sendOnce, toOutcome } from '../../services/change-result'
import type { ItemDeletion } from '../../tracker'
import type { WriteParts } from '../issue-reader'

/** Deletes an issue for good: Jira has no place from which it could be brought back. It does not delete subtasks with it. */
export function createDeletion({ client, reader }: WriteParts): ItemDeletion {
  return {
    async delete({ id, rev }, signal) {
      const find = async (signal: AbortSignal) => (await reader.source.readWires([id], signal)).get(id)
      const confirmGone = async (signal: AbortSignal) => {
        if (await find(signal)) return null
        await client.confirmCredential(signal)
        return 'gone'
      }
      const issue = await find(signal)
      if (!issue) {
        await client.confirmCredential(signal)
        return { status: 'deleted' }
      }
      if (issue.item.rev !== rev)
        return {
          status: 'conflict',
          message: `It has changed since: it was last updated at ${issue.item.changedAt}.`,
        }
      const sending = client.change({ method: 'DELETE', path: `/issue/${id}` }, signal)
      const sent = await sendOnce<unknown>(sending, confirmGone, { signal, limits: client.limits })
      if (sent.kind === 'done') return { status: 'deleted' }
      if (sent.kind !== 'rejected') return toOutcome(sent)
      if (sent.code === 'not_found' && (await confirmGone(signal)) !== null) return { status: 'deleted' }
      const advice = /sub-?task/i.test(sent.message) ? ' Delete its subtasks first.' : ''
      return toOutcome({ ...sent, message: `${sent.message}${advice}` })
    },
  }
}
