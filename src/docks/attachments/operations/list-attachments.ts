import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { AppointmentId } from '../../booking/schemas'
import { listAttachments as listRecords } from '../../queries'
import { requireAppointment } from '../../services/tenant-access'
import { Attachment, presentAttachment } from '../schemas'

export const listAttachments = operation({
  id: 'attachments.list',
  summary: 'List the files that are attached to an appointment',
  description: 'Oldest first.',
  effect: 'read',
  access: { docks: 'viewer', carriers: true },
  input: z.strictObject({ id: AppointmentId }),
  output: z.array(Attachment),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/appointments/{id}/attachments', extension: true, cacheable: () => true },
  listOrder: () => ({ id: ({ id }) => id, key: ({ addedAt, id }) => [addedAt, id] }),
  cli: {
    command: 'appointment attachments',
    args: ['id'],
    examples: ['studio appointment attachments 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['appointment attach', 'appointment download', 'appointment get'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.read(async (tx) => {
      await requireAppointment(ctx, tx, id)
      return (await listRecords(tx, [id])).map(presentAttachment)
    })
  },
})
