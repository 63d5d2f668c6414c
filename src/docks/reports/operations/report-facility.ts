import * as z from 'zod'
import { type Context, checkpoint, operation } from '../../../kernel'
import { formatDate, formatInstant } from '../../../kernel/time'
import type { ReadTx, StorageContext } from '../../../storage'
import type { Facility } from '../../facilities/rules/facility'
import { reasonedChanges } from '../../facilities/rules/facility'
import { groupDoorsOpenTogether, listOpenSpans } from '../../facilities/rules/opening-hours'
import { parseFacilityName } from '../../facilities/services/facility-options'
import {
  findDoors,
  listRefusedRequests,
  listStartingAppointments,
  listTrailers,
  listVisitChanges,
  type VisitChange,
} from '../../queries'
import { type DateRange, getSpanOfDates, isStartWithin, resolveDateRange } from '../../rules/date-range'
import { getLocalDay } from '../../rules/zoned-time'
import { AppointmentType, CalendarDate, FacilityName, Instant } from '../../schemas'
import { requireFacility } from '../../services/tenant-access'
import { listTakenSteps } from '../../visits/rules/appointment-steps'
import { computeVisitTimes, type TimedStep, withoutStay } from '../../visits/rules/visit-times'
import { getStepTime } from '../../visits/services/visit-steps'
import { measureStay } from '../../yard/rules/trailer-steps'
import { DockFigureSums, type DockFigures } from '../rules/dock-figures'
import { type ReasonCount, ReasonCounts } from '../rules/reason-counts'
import { describeRefusalReason } from '../rules/refused-requests'
import { sumUpTrailers } from '../rules/trailer-figures'

const counts = {
  appointments: z.int().describe('Booked and not cancelled, except to release the slot of a truck that did not come'),
  completed: z.int(),
  cancelled: z.int(),
  noShows: z.int(),
  turnedAway: z.int(),
  pallets: z.int(),
}
const usage = {
  openMinutes: z.number().describe('By the hours of the facility as they are now'),
  bookedMinutes: z.number(),
  utilization: z
    .number()
    .nullable()
    .describe('Booked ÷ open, from 0; null without open time. More than 1 if hours were shortened after the bookings'),
}
const punctuality = {
  early: z.int(),
  onTime: z.int(),
  late: z.int(),
  onTimeShare: z.number().nullable().describe('On time or early, of those whose arrival was recorded; from 0 to 1'),
}
const detention = {
  detained: z.int().describe('Trucks that stayed beyond the free time of the facility'),
  detentionMinutes: z.int().describe('How long all of them together'),
}
const Spread = z.object({
  count: z.int(),
  median: z.number().nullable(),
  p90: z.number().nullable().describe('90 % are not higher (nearest rank)'),
  max: z.number().nullable(),
})

const trailers = {
  trailers: z.int(),
  present: z.int().describe('Those that are in the yard still'),
  dwellHours: Spread.describe('From the arrival until the trailer left, or until now'),
  detained: z.int().describe('Trailers beyond the free time of the facility'),
  detentionMinutes: z.int().describe('How long all of them together'),
}

const Report = z.object({
  facilityId: z.string(),
  facilityCode: z.string(),
  facilityName: z.string(),
  timeZone: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  generatedAt: Instant,
  totals: z.object({ ...counts, ...usage }),
  days: z.array(z.object({ date: z.string(), ...counts, ...usage })),
  doors: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      ...counts,
      ...usage,
      hours: z.array(z.object({ hour: z.int().describe('Of the clock of the facility, from 0 to 23'), ...usage })),
    }),
  ),
  carriers: z
    .array(
      z.object({
        name: z.string(),
        ...counts,
        ...punctuality,
        noShowShare: z.number().nullable(),
        dwellMinutes: Spread,
        ...detention,
      }),
    )
    .describe('Most appointments first'),
  arrivals: z.object({
    ...punctuality,
    minutesAfterStart: Spread.describe('From the start of the appointment to the check-in; negative if before'),
  }),
  waitMinutes: Spread.describe('From the check-in to the door'),
  turnMinutes: Spread.describe('From the door to the end of the work'),
  dwellMinutes: Spread.describe('From the check-in to the departure'),
  detention: z.object(detention).describe('Without trucks that dropped their trailer in the yard'),
  leadHours: Spread.describe('From the booking to the start of the appointment'),
  yard: z
    .object({
      ...trailers,
      carriers: z.array(z.object({ name: z.string(), ...trailers })).describe('Most trailers first'),
    })
    .describe('Trailers that arrived in the yard on the dates'),
  refused: z
    .array(z.object({ type: AppointmentType, reason: z.string(), message: z.string(), count: z.int() }))
    .describe('Requests for a slot that got none, by the date of the request'),
  reasons: z
    .array(
      z.object({
        change: z.enum(reasonedChanges),
        reason: z.string().nullable().describe('Null for changes without a reason'),
        count: z.int(),
      }),
    )
    .describe('Why appointments were cancelled or moved, and why trucks did not come or were turned away'),
})

export const reportFacility = operation({
  id: 'facilities.report',
  summary: 'Report how the docks of a facility were used',
  description:
    'Sums up the appointments that start on the dates: use of the doors by hour, punctuality, waiting and dwell times, detention and no-shows by carrier, trailers in the yard, lead time, and requests that got no slot. An appointment counts for the date on which it starts. A truck that dropped its trailer in the yard has no wait, dwell and detention: its trailer has.',
  effect: 'read',
  access: { docks: 'viewer' },
  isExpensive: true,
  input: z.strictObject({
    id: FacilityName,
    startDate: CalendarDate.optional().describe('First date at the facility; 7 days ago by default'),
    endDate: CalendarDate.optional().describe('Last date at the facility; today by default'),
  }),
  output: Report,
  errors: ['not_found'],
  http: { method: 'get', path: '/api/facilities/{id}/report', extension: true },
  cli: {
    command: 'facility report',
    args: ['id'],
    argumentNames: { id: 'code' },
    flags: { startDate: { name: 'from', value: 'YYYY-MM-DD' }, endDate: { name: 'to', value: 'YYYY-MM-DD' } },
    out: { about: 'Write the report to this file' },
    examples: [
      'studio facility report DC1 --from 2027-03-01 --to 2027-03-31',
      'studio facility report DC1 --from 2027-03-01 --to 2027-03-31 --format html --out march.html',
    ],
    seeAlso: ['facility board', 'appointment list', 'appointment history'],
  },
  run(ctx: Context & StorageContext, { id, startDate, endDate }) {
    return ctx.db.read(async (tx) => {
      const now = ctx.clock.now()
      const facility = await requireFacility(ctx, tx, parseFacilityName(id))
      const today = getLocalDay(facility.timeZone, now)
      const range = resolveDateRange({ startDate: startDate ?? formatDate(today - 7), endDate }, today)!
      const refused = await listRefusedRequests(tx, facility.id, range)
      return {
        facilityId: facility.id,
        facilityCode: facility.code,
        facilityName: facility.name,
        timeZone: facility.timeZone,
        startDate: formatDate(range.first),
        endDate: formatDate(range.last),
        generatedAt: formatInstant(now),
        ...(await sumUp(ctx, tx, facility, range)),
        yard: await sumUpYard(tx, facility, { range, now }),
        refused: refused.map((entry) => ({ ...entry, message: describeRefusalReason(entry.reason) })),
      }
    })
  },
})

/** Reads this many dates at once, to bound the memory. */
const DATES_AT_ONCE = 14

async function sumUp(
  ctx: Context,
  tx: ReadTx,
  facility: Facility,
  { first, last }: DateRange,
): Promise<DockFigures & { reasons: ReasonCount[] }> {
  const { timeZone } = facility
  const doors = await findDoors(tx, facility.id)
  const sums = new DockFigureSums(timeZone, doors)
  const reasons = new ReasonCounts()
  const together = groupDoorsOpenTogether(facility, doors)
  for (let day = first; day <= last; day++)
    for (const group of together) {
      sums.addOpenTime({ doors: group.doors, day, spans: listOpenSpans(facility, group, day) })
      await checkpoint(ctx)
    }
  for (let from = first; from <= last; from += DATES_AT_ONCE) {
    const dates = { first: from, last: Math.min(last, from + DATES_AT_ONCE - 1) }
    const span = getSpanOfDates(timeZone, dates)
    const changes = groupByAppointment(await listVisitChanges(tx, facility.id, span))
    for (const { id, trailerStepId, ...appointment } of await listStartingAppointments(tx, facility.id, span)) {
      const day = getLocalDay(timeZone, appointment.from)
      if (day < dates.first || day > dates.last) continue
      const history = changes.get(id) ?? []
      reasons.add(history)
      const times = computeVisitTimes(listSteps(history), { ...facility, startAt: appointment.from })
      sums.addAppointment({ ...appointment, visit: trailerStepId === null ? times : withoutStay(times) }, day)
      await checkpoint(ctx)
    }
  }
  return { ...sums.figures, reasons: reasons.list }
}

async function sumUpYard(tx: ReadTx, facility: Facility, { range, now }: { range: DateRange; now: number }) {
  const { id: facilityId, timeZone } = facility
  const arriving = getSpanOfDates(timeZone, range)
  const arrived = (await listTrailers(tx, { facilityId, arriving })).filter(({ arrivedAt }) =>
    isStartWithin(timeZone, range, arrivedAt),
  )
  return sumUpTrailers(
    arrived.map((trailer) => ({
      carrierName: trailer.carrierName,
      hasLeft: trailer.leftAt !== null,
      ...measureStay(trailer, { trailerFreeHours: facility.trailerFreeHours, now }),
    })),
  )
}

function groupByAppointment(changes: readonly VisitChange[]): Map<string, VisitChange[]> {
  const groups = new Map<string, VisitChange[]>()
  for (const change of changes) {
    const group = groups.get(change.appointmentId)
    if (group) group.push(change)
    else groups.set(change.appointmentId, [change])
  }
  return groups
}

function listSteps(changes: readonly VisitChange[]): TimedStep[] {
  return listTakenSteps(changes).map((change) => ({ kind: change.kind, at: getStepTime(change) }) as TimedStep)
}
