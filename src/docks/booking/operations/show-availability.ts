import * as z from 'zod'
import { type Context, operation, StudioError } from '../../../kernel'
import { formatDate, formatInstant, MINUTE_MS } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { appointmentTypes, type Facility, type AppointmentType as Type } from '../../facilities/rules/facility'
import { parseFacilityName } from '../../facilities/services/facility-options'
import { findDoors } from '../../queries'
import { formatLocalTime, getLocalDay } from '../../rules/zoned-time'
import { AppointmentType, CalendarDate, FacilityName, Instant } from '../../schemas'
import { getCarrier, requireFacility, requireNotDeleted, resolveCarrier } from '../../services/tenant-access'
import {
  computeEarliestStart,
  describeRefusal,
  requireFutureDay,
  requireWithinLimits,
  resolveMinutes,
} from '../rules/booking-rules'
import { toLoad } from '../rules/load'
import { placingRequest } from '../rules/load-schemas'
import { formatSlotId } from '../rules/requested-slot'
import { type DayAvailability, refusalReasons } from '../rules/slot-search'
import { getFacilityCapacity } from '../rules/spans'
import { bookingFields } from '../schemas'
import { bookingFlags } from '../services/booking-flags'
import { findSlotsOnDay } from '../services/find-place'
import { listRoomStarts } from '../services/find-room'
import { resolveRoomMode } from '../services/room-policy'

const FreeSlot = z.object({
  startTime: Instant,
  endTime: Instant,
  localTime: z.string().describe('Local start such as 06:00, or 01:00 CDT if the clock shows it twice'),
  type: AppointmentType,
  doorId: z.string().describe('The door that a booking would get'),
  doorName: z.string(),
  slotId: z.string().describe('To book or reschedule to exactly this slot'),
  freeDoors: z.int().describe('Number of free doors at that time'),
  moves: z
    .int()
    .optional()
    .describe('With makeRoom, how many other appointments would move to other doors for it; 0 for a free slot'),
})

const Availability = z.object({
  facilityId: z.string(),
  facilityCode: z.string(),
  timeZone: z.string(),
  date: z.string(),
  minutes: z.int().nullable().describe('Length of the slots; null if pickups and deliveries differ'),
  slots: z.array(FreeSlot).describe('Every start that can be booked now, by time'),
  reasons: z
    .array(
      z.object({
        type: AppointmentType,
        doors: z.array(z.string()).describe('Names; empty if no door accepts the type'),
        reason: z.enum(refusalReasons),
        message: z.string(),
      }),
    )
    .describe('Why the other doors have no free slot'),
  roomComplete: z
    .boolean()
    .optional()
    .describe('With makeRoom; false if the search for room ended before it had tried all starts'),
})

export const showAvailability = operation({
  id: 'facilities.availability',
  summary: 'Show the free slots of a facility on a date',
  description:
    'Lists every start at which an appointment of that length can be booked now. Slots are not reserved; to book exactly one of them, pass its slotId. Doors without a free slot are listed with the reason.',
  effect: 'read',
  access: { docks: 'viewer', carriers: true },
  input: z.strictObject({
    id: FacilityName,
    date: CalendarDate.optional().describe('Date at the facility; today by default'),
    type: AppointmentType.optional().describe('Only for this type; both by default'),
    minutes: z
      .int()
      .min(1)
      .optional()
      .describe('Length in minutes; by default the length that a booking of the load would have'),
    carrierName: bookingFields.carrierName
      .optional()
      .describe('Carrier, because the facility may limit the appointments of each carrier'),
    ...placingRequest,
    makeRoom: z
      .boolean()
      .default(false)
      .describe('Also the starts for which a booking with makeRoom would move others to other doors; not for carriers'),
  }),
  output: Availability,
  errors: ['not_found', 'date_in_past', 'forbidden'],
  http: { method: 'get', path: '/api/facilities/{id}/availability', extension: true },
  cli: {
    command: 'facility availability',
    args: ['id'],
    argumentNames: { id: 'code' },
    flags: { ...bookingFlags, date: { value: 'YYYY-MM-DD' }, minutes: { value: 'minutes' } },
    examples: [
      'studio facility availability DC1 --date 2027-03-01',
      'studio facility availability DC1 --date 2027-03-01 --type pickup --minutes 90 --json',
      'studio facility update DC1 --make-room ask && studio facility availability DC1 --date 2027-03-01 --make-room',
    ],
    seeAlso: ['book', 'facility board', 'facility get'],
  },
  run(ctx: Context & StorageContext, input) {
    return ctx.db.read(async (tx) => {
      const now = ctx.clock.now()
      const facility = requireNotDeleted(await requireFacility(ctx, tx, parseFacilityName(input.id)))
      const date = input.date ?? formatDate(getLocalDay(facility.timeZone, now))
      if (input.makeRoom) requireRoomForStaff(ctx, facility)
      const firstDay = requireFutureDay(facility, { path: 'date', date }, now)
      const doors = await findDoors(tx, facility.id)
      const capacity = getFacilityCapacity(facility, doors)
      const found: { type: Type; minutes: number; day: DayAvailability; room: FoundStarts }[] = []
      for (const type of input.type ? [input.type] : appointmentTypes) {
        const minutes =
          input.minutes === undefined
            ? resolveMinutes(facility, { ...input, type })
            : requireWithinLimits(facility, input.minutes, 'minutes')
        const request = {
          facility,
          capacity,
          doors,
          load: toLoad({ ...input, carrierName: resolveCarrier(ctx, input.carrierName), type }),
          minutes,
          firstDay,
          notBefore: computeEarliestStart(facility, now),
        }
        const day = await findSlotsOnDay(tx, facility, request, now)
        const plan = { ...request, lastDay: firstDay, startAt: null, window: null }
        const options = {
          site: { facility, doors },
          wanted: { load: request.load, plan },
          free: new Set(day.starts.keys()),
        }
        const room = input.makeRoom ? await listRoomStarts(ctx, tx, options) : NO_ROOM
        found.push({ type, minutes, day, room })
      }
      return {
        facilityId: facility.id,
        facilityCode: facility.code,
        timeZone: facility.timeZone,
        date,
        minutes: found.every(({ minutes }) => minutes === found[0]!.minutes) ? found[0]!.minutes : null,
        slots: found
          .flatMap(({ type, minutes, day, room }) => [
            ...[...day.starts].map((start) => ({
              ...presentSlot(start, { type, minutes, ...facility }),
              ...(input.makeRoom && { moves: 0 }),
            })),
            ...room.starts.map(({ start, door, moves }) => ({
              ...presentSlot([start, [door]], { type, minutes, ...facility }),
              freeDoors: 0,
              moves,
            })),
          ])
          .sort((a, b) => (a.startTime < b.startTime ? -1 : a.startTime > b.startTime ? 1 : 0)),
        reasons: found.flatMap(({ type, day }) =>
          day.refusals.map(({ doors, reason }) => ({
            type,
            doors: doors.map(({ name }) => name),
            reason,
            message: describeRefusal(facility, { day: firstDay, reason }),
          })),
        ),
        ...(input.makeRoom && { roomComplete: found.every(({ room }) => room.isComplete) }),
      }
    })
  },
})

type FoundStarts = Awaited<ReturnType<typeof listRoomStarts>>
const NO_ROOM: FoundStarts = { starts: [], isComplete: true }

/** Throws `invalid` if the facility makes no room, and `forbidden` for a carrier: who would move is not for it to see. */
function requireRoomForStaff(ctx: Context, facility: Facility): void {
  if (getCarrier(ctx) === null) resolveRoomMode(facility, true)
  else
    throw new StudioError('forbidden', 'Only the staff of the facility sees where room can be made.', {
      hint: 'Leave out makeRoom.',
    })
}

function presentSlot(
  [start, doors]: [number, { id: string; name: string }[]],
  { type, minutes, timeZone }: { type: Type; minutes: number; timeZone: string },
): z.output<typeof FreeSlot> {
  return {
    startTime: formatInstant(start),
    endTime: formatInstant(start + minutes * MINUTE_MS),
    localTime: formatLocalTime(timeZone, start),
    type,
    doorId: doors[0]!.id,
    doorName: doors[0]!.name,
    slotId: formatSlotId({ startAt: start, minutes, type, doorId: doors[0]!.id }),
    freeDoors: doors.length,
  }
}
