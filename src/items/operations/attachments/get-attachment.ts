import { createHash } from 'node:crypto'
import * as z from 'zod'
import { checkpoint, hint, operation, suggestCommand } from '../../../kernel'
import { detectMediaType } from '../../../kernel/files/file-type'
import { ItemId } from '../../schemas'
import { AttachmentName, MAX_READ_BYTES } from '../../services/attachments/attachment-schemas'
import { chooseAttachment, findAttachments } from '../../services/attachments/find-attachments'
import { readAttachment } from '../../services/attachments/read-attachment'
import { AttachmentTooLargeError } from '../../services/attachments/receive-content'
import { nameItems } from '../../services/name-items'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const getItemAttachment = operation({
  id: 'items.attachment',
  summary: 'Read an attachment of a work item',
  description:
    'A file has at most 10 MB; a larger one is for `items.download-attachments`, which saves files on the machine of its caller.',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  hasLargeAnswer: true,
  input: z.strictObject({
    id: ItemId,
    attachment: AttachmentName,
    cached: z.boolean().default(false).describe('Read the file that an import has stored, without calling the tracker'),
  }),
  output: z.object({
    id: z.int().describe('ID of the work item'),
    attachmentId: z.string(),
    name: z.string().describe('A safe name for the file'),
    type: z.string().describe('Media type, by the first bytes of the file'),
    bytes: z.int(),
    sha256: z.string(),
    content: z.string().describe('The file in Base64'),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: {
    method: 'get',
    path: '/api/devops/items/{id}/attachments/{attachment}',
    extension: true,
    answersFile: true,
    withinMs: 5 * 60_000,
    example: { id: 204, attachment: 'shot.png' },
  },
  async run(ctx: TrackerWorkspaceContext, { id, attachment: wanted, cached }) {
    const found = await findAttachments(ctx, id, { cached })
    const reference = (await nameItems(ctx, [id]))(id)
    const attachment = chooseAttachment(found.attachments, wanted, { id, reference })
    const bytes = await readAttachment(ctx, found, attachment, MAX_READ_BYTES).catch((error) => {
      if (!(error instanceof AttachmentTooLargeError)) throw error
      throw error.withHint(
        hint`Save it to a folder: ${suggestCommand('items.download-attachments', { id, attachment: attachment.id })}`,
      )
    })
    await checkpoint(ctx)
    return {
      id,
      attachmentId: attachment.id,
      name: attachment.safeName,
      type: detectMediaType(bytes) ?? 'application/octet-stream',
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      content: bytes.toString('base64'),
    }
  },
})
