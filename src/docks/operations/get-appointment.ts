import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { Appointment, AppointmentId } from '../schemas'
import { presentAppointment } from '../services/present-appointment'
import { requireAppointment } from '../services/tenant-access'

export const getAppointment = operation({
  id: 'appointments.get',
  summary: 'Show one appointment',
  effect: 'read',
  access: 'tenant',
  input: z.strictObject({ id: AppointmentId }),
  output: Appointment,
  errors: ['not_found'],
  http: { method: 'get', path: '/api/appointments/{id}', extension: true, cacheable: () => true },
  cli: {
    command: 'appointment get',
    args: ['id'],
    examples: ['studio appointment get 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --json'],
    seeAlso: ['appointment list', 'appointment update', 'reschedule', 'appointment cancel'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.read(async (tx) => presentAppointment((await requireAppointment(ctx, tx, id)).appointment))
  },
})
