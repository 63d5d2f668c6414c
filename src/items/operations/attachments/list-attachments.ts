import * as z from 'zod'
import { operation } from '../../../kernel'
import { ItemId, Reference } from '../../schemas'
import { ItemAttachment, presentAttachment } from '../../services/attachments/attachment-schemas'
import { findAttachments } from '../../services/attachments/find-attachments'
import { nameItems } from '../../services/name-items'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const listItemAttachments = operation({
  id: 'items.attachments',
  summary: 'List the attachments of a work item',
  description: 'Files and images of the item, the oldest first.',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    id: ItemId,
    cached: z
      .boolean()
      .default(false)
      .describe('List the files that an import has stored, without calling the tracker'),
  }),
  output: z.object({ id: z.int(), reference: Reference, attachments: z.array(ItemAttachment) }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'get', path: '/api/devops/items/{id}/attachments', extension: true },
  cli: {
    command: 'item attachments',
    args: ['id'],
    examples: ['studio item attachments 204', 'studio item attachments 204 --json'],
    seeAlso: ['item attachment get', 'item attach', 'item get'],
  },
  async run(ctx: TrackerWorkspaceContext, { id, cached }) {
    const { attachments } = await findAttachments(ctx, id, { cached })
    return { id, reference: (await nameItems(ctx, [id]))(id), attachments: attachments.map(presentAttachment) }
  },
})
