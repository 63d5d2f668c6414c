import { createItemDeletion } from '../../services/parts/deletion'
import type { WriteParts } from '../issue-reader'

/** Deletes an issue for good: Jira has no place from which it could be brought back. It does not delete subtasks with it. */
export const createDeletion = ({ client, reader }: WriteParts) =>
  createItemDeletion({
    reader,
    limits: client.limits,
    async isDeleted(_, signal) {
      await client.confirmCredential(signal)
      return true
    },
    async send({ wire: { id } }, signal) {
      const sent = await client.change({ method: 'DELETE', path: `/issue/${id}` }, signal)
      const hasSubtasks = sent.kind === 'rejected' && /sub-?task/i.test(sent.message)
      return hasSubtasks ? { ...sent, message: `${sent.message} Delete its subtasks first.` } : sent
    },
  })
