import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { removeAttachments } from '../../queries'
import { Success } from '../../schemas'
import { writeAppointments } from '../../services/tenant-access'
import { AttachmentId } from '../schemas'
import { lockAttachment, recordAttachment } from '../services/attachments'

export const removeAttachment = operation({
  id: 'attachments.remove',
  summary: 'Remove a file from an appointment',
  description: 'The file is deleted. The history says who removed it, and its name.',
  effect: 'write',
  access: { docks: 'clerk' },
  input: z.strictObject({ id: AttachmentId }),
  output: Success,
  errors: ['not_found'],
  http: { method: 'delete', path: '/api/attachments/{id}', extension: true },
  cli: {
    command: 'appointment detach',
    args: ['id'],
    argumentNames: { id: 'attachmentId' },
    confirm: () => 'Delete this attachment permanently?',
    examples: ['studio appointment detach 7d0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --yes'],
    seeAlso: ['appointment attachments', 'appointment download', 'appointment attach'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return writeAppointments(ctx, async (tx) => {
      const { attachment, appointment } = await lockAttachment(ctx, tx, id)
      await removeAttachments(tx, [id])
      await recordAttachment(ctx, tx, { kind: 'file_removed', appointment, name: attachment.name })
      const message = `Removed ${attachment.name} from ${appointment.referenceNumber} at ${appointment.facilityCode}.`
      return { status: 'success' as const, message }
    })
  },
})
