import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { readAttachmentContent } from '../../queries'
import { Attachment, AttachmentId, presentAttachment } from '../schemas'
import { requireAttachment } from '../services/attachments'

export const getAttachment = operation({
  id: 'attachments.get',
  summary: 'Download a file that is attached to an appointment',
  description: 'Over HTTP, the answer is the file itself, with its media type and its name.',
  effect: 'read',
  access: { docks: 'viewer', carriers: true },
  isExpensive: true,
  hasLargeAnswer: true,
  input: z.strictObject({ id: AttachmentId }),
  output: Attachment.extend({ content: z.string().describe('The file in Base64') }),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/attachments/{id}', extension: true, answersFile: true },
  cli: {
    command: 'appointment download',
    args: ['id'],
    argumentNames: { id: 'attachmentId' },
    out: { about: 'The file to write; - writes to standard output', isFile: true },
    examples: [
      'studio appointment download 7d0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --out bol.pdf',
      'studio appointment download 7d0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --out - | sha256sum',
    ],
    seeAlso: ['appointment attachments', 'appointment attach', 'appointment detach'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.read(async (tx) => {
      const attachment = await requireAttachment(ctx, tx, id)
      const content = await readAttachmentContent(tx, id)
      return { ...presentAttachment(attachment), content: content.toString('base64') }
    })
  },
})
