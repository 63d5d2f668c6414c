import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import { MINUTE_MS } from '../../kernel/time'
import type { StorageContext } from '../../storage'
import { findDoors } from '../queries'
import { earliestStart, REASON_TEXTS, requireFutureDay, requireWithinLimits } from '../rules/booking-rules'
import { formatDate } from '../rules/calendar-date'
import { appointmentTypes, type AppointmentType as Type } from '../rules/facility'
import { facilityCapacity } from '../rules/occupancy'
import type { DayAvailability } from '../rules/slot-search'
import { refusalReasons } from '../rules/slot-search'
import { dayAt, formatLocalTime } from '../rules/zoned-time'
import { AppointmentType, CalendarDate, FacilityName, Instant } from '../schemas'
import { findSlotsOnDay } from '../services/booking'
import { parseFacilityName } from '../services/facility-options'
import { requireFacility } from '../services/tenant-access'

const FreeSlot = z.object({
  startTime: Instant,
  endTime: Instant,
  localTime: z
    .string()
    .describe('The start on the clock of the facility, as 06:00, or 01:00 CDT where the clock shows it twice'),
  type: AppointmentType,
  doorId: z.string().describe('The door that a booking would take'),
  doorName: z.string(),
  freeDoors: z.int().describe('How many doors are free then'),
})

const Availability = z.object({
  facilityId: z.string(),
  facilityCode: z.string(),
  timeZone: z.string(),
  date: z.string(),
  minutes: z.int(),
  slots: z.array(FreeSlot).describe('Every start that could be booked now, by time'),
  reasons: z
    .array(
      z.object({
        type: AppointmentType,
        doors: z.array(z.string()).describe('Names; empty where no door takes the type'),
        reason: z.enum(refusalReasons),
        message: z.string(),
      }),
    )
    .describe('Why the other doors have nothing free'),
})

export const showAvailability = operation({
  id: 'facilities.availability',
  summary: 'Show what is free at a facility on a date',
  description:
    'Every start that a booking of that length could have now. It is not held: who books first has it. Doors without any are there with the reason.',
  effect: 'read',
  access: 'tenant',
  input: z.strictObject({
    id: FacilityName,
    date: CalendarDate.optional().describe('Date at the facility; today where absent'),
    type: AppointmentType.optional().describe('Only for this type; both where absent'),
    minutes: z.int().min(1).optional().describe("Length in minutes; the facility's default where absent"),
  }),
  output: Availability,
  errors: ['not_found', 'date_in_past'],
  http: { method: 'get', path: '/api/facilities/{id}/availability', extension: true },
  cli: {
    command: 'facility availability',
    args: ['id'],
    argumentNames: { id: 'code' },
    flags: { date: { value: 'YYYY-MM-DD' }, minutes: { value: 'minutes' } },
    examples: [
      'studio facility availability DC1 --date 2027-03-01',
      'studio facility availability DC1 --date 2027-03-01 --type pickup --minutes 90 --json',
    ],
    seeAlso: ['book', 'facility board', 'facility get'],
  },
  run(ctx: Context & StorageContext, asked) {
    return ctx.db.read(async (tx) => {
      const now = ctx.clock.now()
      const facility = await requireFacility(ctx, tx, parseFacilityName(asked.id))
      const date = asked.date ?? formatDate(dayAt(facility.timeZone, now))
      const firstDay = requireFutureDay(facility, { path: 'date', date }, now)
      const minutes =
        asked.minutes === undefined ? facility.defaultMinutes : requireWithinLimits(facility, asked.minutes, 'minutes')
      const doors = await findDoors(tx, facility.id)
      const places = facilityCapacity(facility, doors)
      const found: [Type, DayAvailability][] = []
      for (const type of asked.type ? [asked.type] : appointmentTypes) {
        const request = { facility, places, doors, type, minutes, firstDay, notBefore: earliestStart(facility, now) }
        found.push([type, await findSlotsOnDay(tx, facility.id, request)])
      }
      return {
        facilityId: facility.id,
        facilityCode: facility.code,
        timeZone: facility.timeZone,
        date,
        minutes,
        slots: found
          .flatMap(([type, { starts }]) =>
            [...starts].map((start) => presentSlot(start, { type, minutes, ...facility })),
          )
          .sort((a, b) => (a.startTime < b.startTime ? -1 : a.startTime > b.startTime ? 1 : 0)),
        reasons: found.flatMap(([type, { refusals }]) =>
          refusals.map(({ doors, reason }) => ({
            type,
            doors: doors.map(({ name }) => name),
            reason,
            message: REASON_TEXTS[reason],
          })),
        ),
      }
    })
  },
})

function presentSlot(
  [start, doors]: [number, { id: string; name: string }[]],
  { type, minutes, timeZone }: { type: Type; minutes: number; timeZone: string },
): z.output<typeof FreeSlot> {
  return {
    startTime: new Date(start).toISOString(),
    endTime: new Date(start + minutes * MINUTE_MS).toISOString(),
    localTime: formatLocalTime(timeZone, start),
    type,
    doorId: doors[0]!.id,
    doorName: doors[0]!.name,
    freeDoors: doors.length,
  }
}
