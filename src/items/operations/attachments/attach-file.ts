import { createHash } from 'node:crypto'
import * as z from 'zod'
import { checkpoint, inputError, operation } from '../../../kernel'
import { toSafeFileName } from '../../../kernel/files/file-name'
import { chooseMediaType } from '../../../kernel/files/file-type'
import { ItemId, Reference } from '../../schemas'
import { MAX_SENT_BODY_BYTES, MAX_SENT_BYTES, MAX_SENT_LENGTH } from '../../services/attachments/attachment-schemas'
import { SentAttachment, sendAttachments } from '../../services/attachments/send-attachments'
import { nameItems } from '../../services/name-items'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const attachFile = operation({
  id: 'items.attach',
  summary: 'Attach a file to a work item',
  description:
    'If the response of the tracker is lost, the attachments of the item are read before anything is sent again.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  isExpensive: true,
  input: z.strictObject({
    id: ItemId,
    name: z.string().trim().min(1).max(255).describe('Name of the file'),
    content: z
      .string()
      .max(MAX_SENT_LENGTH, 'must be at most 5 MB')
      // Node ignores what is not in Base64. A regular expression would take several times as long.
      .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, 'must be in Base64')
      .describe('The file in Base64, at most 5 MB'),
    dryRun: z.boolean().default(false).describe('Send nothing; show what would be sent'),
  }),
  output: z.object({ dryRun: z.boolean(), id: z.int(), reference: Reference, file: SentAttachment }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: {
    method: 'post',
    path: '/api/devops/items/{id}/attachments',
    extension: true,
    maxBodyBytes: MAX_SENT_BODY_BYTES,
    withinMs: 5 * 60_000,
    example: { id: 204, name: 'note.txt', content: 'VGhlIGdhdGUgaXMgb3Blbi4K', dryRun: true },
  },
  async run(ctx: TrackerWorkspaceContext, { id, name, content, dryRun }) {
    // Reading the call took as long as hashing the file does.
    await checkpoint(ctx)
    const bytes = Buffer.from(content, 'base64')
    if (bytes.length > MAX_SENT_BYTES) throw inputError([{ path: 'content', message: 'must be at most 5 MB' }])
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await checkpoint(ctx)
    const safeName = toSafeFileName(name)
    const file = {
      name: safeName,
      mediaType: chooseMediaType(safeName, bytes),
      sha256,
      content: {
        size: bytes.length,
        async *open() {
          yield bytes
        },
      },
    }
    const [sent] = await sendAttachments(ctx, { id, files: [file], dryRun })
    return { dryRun, id, reference: (await nameItems(ctx, [id]))(id), file: sent! }
  },
})
