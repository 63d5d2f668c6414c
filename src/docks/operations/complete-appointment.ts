import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { presentAppointment } from '../present'
import { setStatus } from '../queries'
import { requireStatus } from '../rules/refusals'
import { Appointment, AppointmentId, Success } from '../schemas'
import { requireHeldAppointment, writeAtFacility } from '../tenant-scope'

export const completeAppointment = operation({
  id: 'appointments.complete',
  summary: 'Mark an appointment as completed',
  description:
    'It keeps its time at the door, and its reference may be booked again. Completing again is a success too; a cancelled appointment cannot be completed.',
  effect: 'write',
  access: 'tenant',
  input: z.strictObject({ id: AppointmentId }),
  output: Success.extend({ data: Appointment }),
  errors: ['not_found', 'invalid_state'],
  http: { method: 'post', path: '/api/appointments/{id}/complete', extension: true },
  cli: {
    command: 'appointment complete',
    args: ['id'],
    examples: ['studio appointment complete 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['appointment get', 'appointment list'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return writeAtFacility(ctx, async (tx) => {
      const { appointment } = await requireHeldAppointment(ctx, tx, id)
      requireStatus(appointment, ['scheduled', 'completed'], 'completed')
      const again = appointment.status === 'completed'
      if (!again) await setStatus(tx, id, { status: 'completed', updatedAt: ctx.clock.now() })
      const name = `Appointment ${appointment.referenceNumber} at ${appointment.facilityCode}`
      return {
        status: 'success' as const,
        message: `${name} ${again ? 'was completed already' : 'is completed'}.`,
        data: presentAppointment({ ...appointment, status: 'completed' }),
      }
    })
  },
})
