import { createHash } from 'node:crypto'
import * as z from 'zod'
import { type Context, checkpoint, inputError, operation, StudioError, withinTransaction } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { AppointmentId } from '../../booking/schemas'
import { insertAttachment, listAttachments } from '../../queries'
import { Text } from '../../rules/text'
import { Success } from '../../schemas'
import { identifyCaller, lockAppointment, writeAppointments } from '../../services/tenant-access'
import { cleanFileName } from '../rules/file-name'
import { ACCEPTED_TYPES, detectFileType } from '../rules/file-type'
import { MAX_ATTACHMENT_BODY_BYTES, MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '../rules/limits'
import { Attachment, AttachmentContent, AttachmentNote, presentAttachment } from '../schemas'
import { recordAttachment } from '../services/attachments'

export const addAttachment = operation({
  id: 'attachments.add',
  summary: 'Attach a file to an appointment, such as a photo of the bill of lading',
  description: `Takes ${ACCEPTED_TYPES}, of at most 5 MiB. The first bytes of the file decide which type it is, not its name. An appointment has at most ${MAX_ATTACHMENTS} attachments.`,
  effect: 'write',
  access: { docks: 'gate', carriers: true },
  isExpensive: true,
  input: z.strictObject({
    id: AppointmentId,
    name: Text.min(1).max(255).optional().describe('Name of the file, by which people know it'),
    note: AttachmentNote.optional().describe('What the file shows'),
    content: AttachmentContent,
  }),
  output: Success.extend({ data: Attachment }),
  errors: ['not_found', 'conflict'],
  http: {
    method: 'post',
    path: '/api/appointments/{id}/attachments',
    extension: true,
    maxBodyBytes: MAX_ATTACHMENT_BODY_BYTES,
    example: { id: '5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10', name: 'bol.pdf', content: 'JVBERi0xLjQK' },
  },
  cli: {
    command: 'appointment attach',
    args: ['id'],
    flags: { content: false, name: { about: 'Name of the file (default: that of the path)' } },
    file: {
      about: `The file to attach: ${ACCEPTED_TYPES}`,
      bytes: { content: 'content', name: 'name', max: MAX_ATTACHMENT_BYTES },
    },
    examples: [
      'studio appointment attach 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --file bol.pdf',
      'studio appointment attach 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --note "Seal" --name seal.jpg --file - < seal.jpg',
    ],
    seeAlso: ['appointment attachments', 'appointment download', 'appointment detach'],
  },
  async run(ctx: Context & StorageContext, { id, name, note, content }) {
    // Reading the call took as long as storing the file does.
    await checkpoint(ctx)
    const bytes = Buffer.from(content, 'base64')
    if (bytes.length > MAX_ATTACHMENT_BYTES) throw inputError([{ path: 'content', message: 'must be at most 5 MiB' }])
    const type = detectFileType(bytes)
    if (type === null) throw inputError([{ path: 'content', message: `must be ${ACCEPTED_TYPES}` }])
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await checkpoint(ctx)
    return writeAppointments(ctx, async (tx) => {
      const { appointment } = await lockAppointment(ctx, tx, id)
      if ((await listAttachments(tx, [id])).length >= MAX_ATTACHMENTS) throw tooManyError(appointment.referenceNumber)
      const caller = identifyCaller(ctx)
      const attachment = {
        id: ctx.ids.uuid(),
        appointment_id: id,
        name: cleanFileName(name, type),
        type,
        bytes: bytes.length,
        sha256,
        note: note ?? null,
        added_at: ctx.clock.now(),
        caller: caller.id,
        caller_name: caller.name,
      }
      const call = withinTransaction(ctx)
      await insertAttachment(tx, attachment, bytes, () => checkpoint(call))
      await recordAttachment(ctx, tx, { kind: 'file_added', appointment, name: attachment.name })
      const message = `Attached ${attachment.name} to ${appointment.referenceNumber} at ${appointment.facilityCode}.`
      return { status: 'success' as const, message, data: presentAttachment(attachment) }
    })
  },
})

function tooManyError(reference: string): StudioError {
  return new StudioError('conflict', `${reference} has ${MAX_ATTACHMENTS} attachments already.`, {
    hint: 'Remove one of them first.',
  })
}
