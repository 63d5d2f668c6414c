import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { requireStatus } from '../../booking/rules/booking-rules'
import { Appointment, AppointmentId } from '../../booking/schemas'
import { describeSlot, presentAppointment } from '../../booking/services/present-appointment'
import { saveAppointment } from '../../queries'
import { Success } from '../../schemas'
import { createChange, lockAppointment, requireFacility, writeAppointments } from '../../services/tenant-access'
import { reopen } from '../rules/appointment-steps'
import { readTakenSteps, requireReopenable } from '../services/visit-steps'

export const reopenAppointment = operation({
  id: 'appointments.reopen',
  summary: 'Reopen a completed appointment',
  description:
    'Undoes a completion, and a departure after it. Refused if the reference was booked again, or if another appointment is at the door at that time. Reopening a scheduled appointment succeeds and changes nothing. A cancelled appointment cannot be reopened: book it again.',
  effect: 'write',
  access: { docks: 'gate' },
  input: z.strictObject({ id: AppointmentId }),
  output: Success.extend({ data: Appointment }),
  errors: ['not_found', 'invalid_state', 'duplicate_reference', 'conflict'],
  http: { method: 'post', path: '/api/appointments/{id}/reopen', extension: true },
  cli: {
    command: 'appointment reopen',
    args: ['id'],
    examples: ['studio appointment reopen 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['appointment complete', 'appointment get', 'reschedule'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return writeAppointments(ctx, async (tx) => {
      const { appointment } = await lockAppointment(ctx, tx, id)
      requireStatus(appointment, ['completed', 'scheduled'], 'reopened')
      const again = appointment.status === 'scheduled'
      const facility = await requireFacility(ctx, tx, { facilityId: appointment.facilityId })
      const after = again ? appointment : { ...appointment, ...reopen(await readTakenSteps(tx, id)) }
      if (!again) {
        await requireReopenable(tx, facility, appointment, ctx.clock.now())
        await saveAppointment(tx, { before: appointment, after }, createChange(ctx, 'reopened'))
      }
      const name = `Appointment ${appointment.referenceNumber}`
      const when = describeSlot(appointment, facility.timeZone)
      return {
        status: 'success' as const,
        message: `${name} is ${again ? 'already scheduled' : 'scheduled again'} for ${when}.`,
        data: presentAppointment(after),
      }
    })
  },
})
