import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { applyVerdict, bookChecked, explainPlanChange, requireVerdict } from '../../checks/services/checked-booking'
import { resolveCustomValues } from '../../facilities/rules/custom-fields'
import { facilityFlag, toPlaceInput } from '../../facilities/services/facility-options'
import { countIfRefused } from '../../reports/services/count-refusals'
import { Success } from '../../schemas'
import {
  getCarrier,
  identifyCaller,
  lockFacilityAndLoad,
  resolveCarrier,
  writeAppointments,
} from '../../services/tenant-access'
import { offerFreeSlotsAt } from '../../waitlist/services/waitlist'
import { resolveMinutes } from '../rules/booking-rules'
import { resolveReferences } from '../rules/references'
import { isDoorOfCarrier, takeSlot } from '../rules/requested-slot'
import { BookedAppointment, Booking, DoorMove } from '../schemas'
import { type BookedWithRoom, bookWithRoom, describeMove, presentMove } from '../services/book-with-room'
import { type BookingSite, bookSlot, listRequestedNumbers, loadBookingSite } from '../services/booking'
import { bookingFlags } from '../services/booking-flags'
import { planBooking } from '../services/booking-plan'
import { findRequestedDoors } from '../services/find-place'
import { describeSlot, presentAppointment } from '../services/present-appointment'
import { resolveRoomMode } from '../services/room-policy'

export const bookAppointment = operation({
  id: 'appointments.book',
  summary: 'Book a dock slot: the earliest free one, or a chosen one',
  description:
    'Books the earliest conflict-free slot on or after the target date. If that date is closed or full, the booking rolls over day by day, up to 30 days, unless the facility disables that. A chosen start is booked exactly, or refused with the reasons and the nearest free slots.',
  effect: 'write',
  access: { docks: 'clerk', carriers: true },
  input: Booking,
  output: Success.extend({
    data: BookedAppointment.extend({
      id: BookedAppointment.shape.id.nullable().describe('Null in a dry run, which books nothing'),
    }),
    moves: z
      .array(DoorMove)
      .optional()
      .describe('Who moved to another door, if room was asked for or made; carriers do not see it'),
    roomComplete: z
      .literal(false)
      .optional()
      .describe(
        'Given if the search for room ended at its limit before it knew whether room can be made at an earlier start',
      ),
    dryRun: z.literal(true).optional().describe('Given if nothing was booked'),
    checkAsked: z
      .literal(false)
      .optional()
      .describe(
        'Given in a dry run at a facility with a booking check, which is asked about bookings alone: it may refuse this one, or change its length or requirements',
      ),
  }),
  errors: [
    'not_found',
    'date_in_past',
    'duplicate_reference',
    'facility_closed',
    'fully_booked',
    'no_slot',
    'slot_unavailable',
    'booking_refused',
    'unavailable',
    'plan_changed',
  ],
  http: { method: 'post', path: '/api/appointments/auto-schedule' },
  cli: {
    command: 'book',
    extraFlags: [facilityFlag],
    flags: bookingFlags,
    toInput: toPlaceInput,
    examples: [
      'studio book --facility DC1 --type delivery --carrier "Blue Freight" --reference PO-1001 --date 2027-03-01 --pallets 12',
      'studio book --facility DC1 --type pickup --carrier "Blue Freight" --reference BOL-77 --date 2027-03-01 --duration 45 --json',
      'studio book --facility DC1 --type delivery --carrier "Blue Freight" --reference PO-1002 --at 2027-03-01T09:30 --door "Door 1"',
      'studio book --facility DC1 --type delivery --carrier "Blue Freight" --reference PO-1003 --date 2027-03-01 --not-before 13:00 --not-after 15:00',
      'studio book --facility DC1 --type delivery --carrier "Blue Freight" --reference PO-1004 --date 2027-03-01 --height 162',
    ],
    seeAlso: ['facility availability', 'appointment list', 'reschedule', 'appointment cancel', 'facility list'],
  },
  run(ctx: Context & StorageContext, { makeRoom: isAsked, dryRun, ...input }) {
    const isCarrier = getCarrier(ctx) !== null
    const requested = resolveReferences({
      ...takeSlot(input, input.type),
      carrierName: resolveCarrier(ctx, input.carrierName),
    })
    const work = () =>
      bookChecked(ctx, (verdict) =>
        writeAppointments(ctx, async (tx) => {
          const now = ctx.clock.now()
          const { booking, plan, mode, site } = await lockFacilityAndLoad(
            ctx,
            tx,
            requested,
            async ({ tenantId, ...facility }) => {
              const request = { ...requested, ...resolveCustomValues(facility, requested, null) }
              const mode = resolveRoomMode(facility, isAsked)
              if (facility.isChecked) {
                // The endpoint is not asked about what is refused anyway.
                planBooking(facility, request, { now })
                if (!dryRun) await requireVerdict(tx, facility, { verdict, request })
              }
              const booking = applyVerdict(request, verdict)
              const plan = planBooking(facility, booking, { now })
              const numbers = listRequestedNumbers(booking)
              return {
                booking,
                plan,
                mode,
                site: await loadBookingSite(tx, { tenantId, facility }, { plan, numbers, now }),
              }
            },
          )
          const allowedDoors = findRequestedDoors(site, booking.doorId)
          const origin = { now, id: ctx.ids.uuid(), caller: identifyCaller(ctx), note: verdict?.note ?? null }
          const isPinned = isDoorOfCarrier(getCarrier(ctx), input)
          const options = { booking: { ...booking, isPinned }, plan, ...origin, allowedDoors }
          if (mode === null && !dryRun && !ctx.plan) {
            const appointment = await bookSlot(tx, site, options)
            return toAnswer(site, { appointment, moves: [], isComplete: true })
          }
          const booked = await bookWithRoom(ctx, tx, site, { ...options, mode, dryRun }).catch((error) => {
            const planned = { ...requested, durationMinutes: resolveMinutes(site.facility, requested) }
            throw explainPlanChange(error, { facility: site.facility, verdict, request: planned })
          })
          // Who moved may have been at the door for longer than the new appointment.
          if (!dryRun && booked.moves.length > 0)
            await offerFreeSlotsAt(ctx, tx, { tenantId: site.tenantId, facilityId: site.facility.id })
          return {
            ...toAnswer(site, booked, { isCarrier, dryRun }),
            ...(!isCarrier && (isAsked || booked.moves.length > 0) && { moves: booked.moves.map(presentMove) }),
            ...(!booked.isComplete && { roomComplete: false as const }),
            ...(dryRun && { dryRun, ...(site.facility.isChecked && { checkAsked: false as const }) }),
          }
        }),
      )
    return dryRun ? work() : countIfRefused(ctx, requested, work)
  },
})

function toAnswer(
  { facility }: BookingSite,
  { appointment, moves, isComplete }: BookedWithRoom,
  { isCarrier, dryRun } = { isCarrier: false, dryRun: false },
) {
  const what = `${dryRun ? 'Would be booked' : 'Booked'} for ${describeSlot(appointment, facility.timeZone)}.`
  const moved = isCarrier || moves.length === 0 ? '' : ` ${moves.map(describeMove).join(', ')}.`
  const whose = moved === '' ? '' : dryRun ? ' Would move:' : ' Moved:'
  const passed = isComplete ? '' : ` ${ROOM_INCOMPLETE}`
  const unasked = dryRun && facility.isChecked ? ` ${CHECK_NOT_ASKED}` : ''
  const data = { ...presentAppointment(appointment), ...(dryRun && { id: null }) }
  return { status: 'success' as const, message: `${what}${whose}${moved}${passed}${unasked}`, data }
}

const ROOM_INCOMPLETE = 'The search for room at earlier starts ended before it was complete.'
const CHECK_NOT_ASKED = 'The booking check of the facility was not asked.'
