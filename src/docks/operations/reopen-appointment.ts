import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../kernel'
import type { StorageContext } from '../../storage'
import { type AppointmentRecord, findScheduledReference, listBusySpans, saveAppointment } from '../queries'
import { duplicateReferenceError, requireStatus } from '../rules/booking-rules'
import { Appointment, AppointmentId, Success } from '../schemas'
import { describeSlot, presentAppointment } from '../services/present-appointment'
import { createChange, lockAppointment, requireFacility, writeAppointments } from '../services/tenant-access'

export const reopenAppointment = operation({
  id: 'appointments.reopen',
  summary: 'Make a completed appointment scheduled again',
  description:
    'Undoes a completion. Refused if the reference was booked again, or if another appointment is at the door at that time. Reopening a scheduled appointment succeeds and changes nothing. A cancelled appointment cannot be reopened: book it again.',
  effect: 'write',
  access: 'tenant',
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
      const now = ctx.clock.now()
      const again = appointment.status === 'scheduled'
      if (!again) {
        const { facilityId, referenceNumber } = appointment
        const existing = await findScheduledReference(tx, facilityId, referenceNumber)
        if (existing) throw duplicateReferenceError(referenceNumber, presentAppointment(existing))
        requireFreeSlot(
          appointment,
          await listBusySpans(
            tx,
            facilityId,
            { from: appointment.startAt, to: appointment.endAt },
            { now, except: [id] },
          ),
        )
        const after: AppointmentRecord = { ...appointment, status: 'scheduled', step: null }
        await saveAppointment(tx, { before: appointment, after }, createChange(ctx, 'reopened'))
      }
      const { timeZone } = await requireFacility(ctx, tx, { facilityId: appointment.facilityId })
      const name = `Appointment ${appointment.referenceNumber}`
      const when = describeSlot(appointment, timeZone)
      return {
        status: 'success' as const,
        message: `${name} is ${again ? 'already scheduled' : 'scheduled again'} for ${when}.`,
        data: presentAppointment({ ...appointment, status: 'scheduled' }),
      }
    })
  },
})

/** A completed appointment keeps its time at the door, so this fails only if another program wrote to the tables. */
function requireFreeSlot({ doorId, doorName }: AppointmentRecord, busy: readonly { doorId: string }[]): void {
  if (!busy.some((span) => span.doorId === doorId)) return
  throw new StudioError('conflict', `Another appointment is at ${doorName} at that time.`, {
    hint: hint`Book the reference again: ${suggest('appointments.book')}`,
  })
}
