import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import { MINUTE_MS } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { requireBeforeCutoff } from '../../carriers/rules/carriers'
import { resolveReason } from '../../facilities/rules/change-reasons'
import { findDoors, listBusySpans, saveAppointment } from '../../queries'
import { CalendarDate, Success } from '../../schemas'
import {
  createChange,
  getCarrier,
  lockAppointment,
  requireFacility,
  writeAppointments,
} from '../../services/tenant-access'
import { expectAgain } from '../../visits/rules/appointment-steps'
import { requireDateOfTruck, requireNoTruckAtDoor } from '../../visits/rules/truck-presence'
import { offerFreeSlotsAt } from '../../waitlist/services/waitlist'
import { requireStatus, requireWithinLimits } from '../rules/booking-rules'
import { isDoorOfCarrier, takeSlot } from '../rules/requested-slot'
import type { Span } from '../rules/spans'
import { AppointmentId, checkPlace, DurationMinutes, MovedAppointment, placeFields, Reason } from '../schemas'
import { IfSequence, requireSequence } from '../services/appointment-sequence'
import { replaceAppointment } from '../services/booking'
import { bookingFlags } from '../services/booking-flags'
import { planStarts } from '../services/booking-plan'
import { findPlace, findRequestedDoors } from '../services/find-place'
import { describeSlot, presentAppointment } from '../services/present-appointment'

export const rescheduleAppointment = operation({
  id: 'appointments.reschedule',
  summary: 'Move an appointment to another date, or to a chosen slot',
  description:
    'Moves it to the first free slot of the date, or to a chosen start or door. The current slot of the appointment counts as free. If no slot is free, the appointment does not change. The length stays the same unless one is given. If the truck did not come or was turned away, it is expected again. A truck at a door cannot be moved; one that has checked in can, but only to the date of its appointment or to today. If the new slot is the current one, nothing changes.',
  effect: 'write',
  access: { docks: 'clerk', carriers: true },
  input: checkPlace(
    z.strictObject({
      id: AppointmentId,
      targetDate: CalendarDate.nullish().describe(
        'New date at the facility; later dates are not tried. Required unless a start time is given',
      ),
      durationMinutes: DurationMinutes.nullish().describe('New length in minutes'),
      ...placeFields,
      reason: Reason,
      ifSequence: IfSequence,
    }),
  ),
  output: Success.extend({ data: MovedAppointment }),
  errors: [
    'not_found',
    'invalid_state',
    'stale_revision',
    'date_in_past',
    'facility_closed',
    'fully_booked',
    'no_slot',
    'slot_unavailable',
  ],
  http: { method: 'put', path: '/api/appointments/{id}/reschedule' },
  cli: {
    command: 'reschedule',
    args: ['id'],
    argumentNames: { id: 'appointmentId' },
    flags: { ...bookingFlags, ifSequence: { value: 'sequence' } },
    examples: [
      'studio reschedule 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --date 2027-03-02',
      'studio reschedule 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --date 2027-03-02 --duration 90',
      'studio reschedule 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --at 2027-03-02T14:30 --door "Door 1"',
    ],
    seeAlso: ['appointment get', 'appointment list', 'book'],
  },
  run(ctx: Context & StorageContext, { id, ifSequence, ...input }) {
    return writeAppointments(ctx, async (tx) => {
      const now = ctx.clock.now()
      const { appointment, tenantId } = await lockAppointment(ctx, tx, id)
      requireSequence(appointment, ifSequence)
      requireStatus(appointment, ['scheduled'], 'rescheduled')
      requireNoTruckAtDoor(appointment, 'moved')
      const facility = await requireFacility(ctx, tx, { facilityId: appointment.facilityId })
      requireBeforeCutoff(facility, appointment, { action: 'move', now })
      const { durationMinutes, doorId, reason: given, ...requested } = takeSlot(input, appointment.type)
      const starts = planStarts(facility, requested, now)
      requireDateOfTruck(appointment, { day: starts.firstDay, timeZone: facility.timeZone, now }, 'moved')
      const minutes =
        durationMinutes == null
          ? (appointment.endAt - appointment.startAt) / MINUTE_MS
          : requireWithinLimits(facility, durationMinutes)
      const doors = await findDoors(tx, facility.id)
      const site = {
        facility,
        doors,
        busy: (span: Span) => listBusySpans(tx, facility, span, { now, except: [id] }),
        replaces: replaceAppointment(appointment),
      }
      const { door, from, to } = await findPlace(site, {
        load: appointment,
        plan: { ...starts, minutes },
        allowedDoors: findRequestedDoors(site, doorId),
      })
      const moved = {
        ...appointment,
        step: expectAgain(appointment.step),
        doorId: door.id,
        doorName: door.name,
        startAt: from,
        endAt: to,
        pinned: isDoorOfCarrier(getCarrier(ctx), input) ? 1 : appointment.pinned,
      }
      const isSame = door.id === appointment.doorId && from === appointment.startAt && to === appointment.endAt
      const reason = isSame ? null : resolveReason(facility, 'rescheduled', given)
      if (!isSame) {
        await saveAppointment(tx, { before: appointment, after: moved }, createChange(ctx, 'rescheduled', reason))
        await offerFreeSlotsAt(ctx, tx, { tenantId, facilityId: facility.id })
      }
      return {
        status: 'success' as const,
        message: isSame
          ? `Nothing was changed: ${starts.startAt === null ? 'the first free slot is the current one' : 'the appointment is already there'}, ${describeSlot(moved, facility.timeZone)}.`
          : `Rescheduled to ${describeSlot(moved, facility.timeZone)}.`,
        data: presentAppointment(moved),
      }
    })
  },
})
