import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import { MINUTE_MS } from '../../kernel/time'
import type { StorageContext } from '../../storage'
import { findDoors, moveAppointment } from '../queries'
import {
  computeEarliestStart,
  dateUnavailableError,
  requireFutureDay,
  requireStatus,
  requireWithinLimits,
} from '../rules/booking-rules'
import { getFacilityCapacity } from '../rules/spans'
import { AppointmentId, CalendarDate, DurationMinutes, MovedAppointment, Success } from '../schemas'
import { findSlot } from '../services/booking'
import { describeSlot, presentAppointment } from '../services/present-appointment'
import { lockAppointment, requireFacility, writeAppointments } from '../services/tenant-access'

export const rescheduleAppointment = operation({
  id: 'appointments.reschedule',
  summary: 'Move an appointment to the first free slot of another date',
  description:
    'Searches the new slot first, with the old one counted as free. If the date has no free slot, the appointment does not change. The length stays the same unless one is given. If the first free slot is the current one, nothing changes.',
  effect: 'write',
  access: 'tenant',
  input: z.strictObject({
    id: AppointmentId,
    targetDate: CalendarDate.describe('New date at the facility; later dates are not tried'),
    durationMinutes: DurationMinutes.nullish().describe('New length in minutes'),
  }),
  output: Success.extend({ data: MovedAppointment }),
  errors: ['not_found', 'invalid_state', 'date_in_past', 'facility_closed', 'fully_booked'],
  http: { method: 'put', path: '/api/appointments/{id}/reschedule' },
  cli: {
    command: 'reschedule',
    args: ['id'],
    argumentNames: { id: 'appointmentId' },
    flags: {
      targetDate: { name: 'date', value: 'YYYY-MM-DD' },
      durationMinutes: { name: 'duration', value: 'minutes' },
    },
    examples: [
      'studio reschedule 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --date 2027-03-02',
      'studio reschedule 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --date 2027-03-02 --duration 90',
    ],
    seeAlso: ['appointment get', 'appointment list', 'book'],
  },
  run(ctx: Context & StorageContext, { id, targetDate, durationMinutes }) {
    return writeAppointments(ctx, async (tx) => {
      const now = ctx.clock.now()
      const { appointment } = await lockAppointment(ctx, tx, id)
      requireStatus(appointment, ['scheduled'], 'rescheduled')
      const facility = await requireFacility(ctx, tx, { facilityId: appointment.facilityId })
      const day = requireFutureDay(facility, { path: 'targetDate', date: targetDate }, now)
      const minutes =
        durationMinutes == null
          ? (appointment.endAt - appointment.startAt) / MINUTE_MS
          : requireWithinLimits(facility, durationMinutes)
      const doors = await findDoors(tx, facility.id)
      const notBefore = computeEarliestStart(facility, now)
      const request = {
        facility,
        capacity: getFacilityCapacity(facility, doors),
        doors,
        type: appointment.type,
        minutes,
        firstDay: day,
        lastDay: day,
        notBefore,
      }
      const found = await findSlot(tx, facility.id, request, id)
      if (!found.slot) throw dateUnavailableError(facility, found.refusals)
      const { door, from, to } = found.slot
      const moved = { ...appointment, doorId: door.id, doorName: door.name, startAt: from, endAt: to }
      const isSame = door.id === appointment.doorId && from === appointment.startAt && to === appointment.endAt
      if (!isSame) await moveAppointment(tx, moved, now)
      return {
        status: 'success' as const,
        message: isSame
          ? `Nothing was changed: the first free slot is the current one, ${describeSlot(moved, facility.timeZone)}.`
          : `Rescheduled to ${describeSlot(moved, facility.timeZone)}.`,
        data: presentAppointment(moved),
      }
    })
  },
})
