import * as z from 'zod'
import { type Context, checkpoint, inputError, operation } from '../../../kernel'
import { formatDate, formatInstant, parseDate } from '../../../kernel/time'
import { groupBy } from '../../../kernel/work/group-by'
import type { StorageContext } from '../../../storage'
import type { Span } from '../../booking/rules/spans'
import { AppointmentStatus, AppointmentStep } from '../../booking/schemas'
import {
  type AppointmentRecord,
  findDoors,
  listAppointmentsWithin,
  listHolds,
  type SlotHoldRecord,
} from '../../queries'
import { describeClosure } from '../../rules/calendar-date'
import { formatLocalTime, getLocalDay } from '../../rules/zoned-time'
import { AppointmentType, CalendarDate, FacilityName, Instant } from '../../schemas'
import { requireFacility } from '../../services/tenant-access'
import { attentions, judgeAttention } from '../../visits/rules/attention'
import { conflictReasons } from '../rules/conflicts'
import type { Door, Facility } from '../rules/facility'
import { getDaySpan, groupDoorsOpenTogether, isClosedOn, listHours, listOpenSpans } from '../rules/opening-hours'
import { findCurrentConflicts } from '../services/change-facility'
import { parseFacilityName } from '../services/facility-options'

const TimeSpan = z.object({ from: Instant, to: Instant })

const BoardAppointment = z.object({
  id: z.string(),
  type: AppointmentType,
  status: AppointmentStatus,
  step: AppointmentStep,
  startTime: Instant,
  endTime: Instant,
  localStart: z.string().describe('Local time such as 06:00, or 01:00 CDT if the clock shows it twice'),
  localEnd: z.string(),
  carrierName: z.string(),
  referenceNumber: z.string(),
  conflict: z.enum(conflictReasons).nullable().describe('Why it no longer fits the facility'),
  attention: z
    .enum(attentions)
    .nullable()
    .describe(
      'Why somebody should look: its truck is late, has checked in and waits for the door, or is at the door for too long',
    ),
})

const BoardHold = z.object({
  id: z.string(),
  startTime: Instant,
  endTime: Instant,
  localStart: z.string(),
  localEnd: z.string(),
  carrierName: z.string().nullable(),
  expiresAt: Instant,
})

const Board = z.object({
  facilityId: z.string(),
  facilityCode: z.string(),
  facilityName: z.string(),
  timeZone: z.string(),
  date: z.string(),
  from: Instant.describe('Start of the date at the facility'),
  to: Instant.describe('End of the date at the facility'),
  generatedAt: Instant,
  closure: z
    .string()
    .nullable()
    .describe('Why the facility is closed, such as closed for Thanksgiving; null if it is not'),
  hours: z.array(z.object({ at: Instant, clock: z.string() })).describe('The full hours of the date, such as 06:00'),
  doors: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      active: z.boolean(),
      open: z.array(TimeSpan).describe('When it accepts appointments'),
      appointments: z.array(BoardAppointment),
      holds: z.array(BoardHold).describe('Slots that are held for a booking'),
    }),
  ),
})

export const showBoard = operation({
  id: 'facilities.board',
  summary: 'Show the doors of a facility on a date as a timeline',
  description:
    'Shows every appointment that occupies a door on the date, in the time of the facility, without cancelled ones, and the slots that are held. As SVG or HTML it is a self-contained file for a wall display or a printer.',
  effect: 'read',
  access: { docks: 'viewer' },
  input: z.strictObject({
    id: FacilityName,
    date: CalendarDate.optional().describe('Date at the facility; today by default'),
  }),
  output: Board,
  errors: ['not_found'],
  http: { method: 'get', path: '/api/facilities/{id}/board', extension: true },
  cli: {
    command: 'facility board',
    args: ['id'],
    argumentNames: { id: 'code' },
    flags: { date: { value: 'YYYY-MM-DD' } },
    out: { about: 'Write the board to this file' },
    examples: [
      'studio facility board DC1 --date 2027-03-01',
      'studio facility board DC1 --date 2027-03-01 --format html --out board.html',
    ],
    seeAlso: ['facility availability', 'facility report', 'appointment list', 'book'],
  },
  run(ctx: Context & StorageContext, input) {
    return ctx.db.read(async (tx) => {
      const now = ctx.clock.now()
      const facility = await requireFacility(ctx, tx, parseFacilityName(input.id))
      const day = input.date === undefined ? getLocalDay(facility.timeZone, now) : parseDate(input.date)
      const span = getDaySpan(facility.timeZone, day)
      if (!span) throw inputError([{ path: 'date', message: `is a date that ${facility.timeZone} skipped` }])
      const doors = await findDoors(tx, facility.id)
      const appointments = await listAppointmentsWithin(tx, facility.id, span)
      const holds = (await listHolds(tx, facility.id, now)).filter(
        ({ startAt, endAt }) => startAt < span.to && span.from < endAt,
      )
      return {
        facilityId: facility.id,
        facilityCode: facility.code,
        facilityName: facility.name,
        timeZone: facility.timeZone,
        date: formatDate(day),
        ...presentSpan(span),
        generatedAt: formatInstant(now),
        closure: isClosedOn(facility, day) ? describeClosure(facility.closures, day) : null,
        hours: listHours(facility.timeZone, day).map(({ at, clock }) => ({ at: formatInstant(at), clock })),
        doors: await presentDoors(ctx, facility, doors, { appointments, holds, day, now }),
      }
    })
  },
})

/** The doors by position, then removed doors that have an appointment on the date. */
async function presentDoors(
  ctx: Context,
  facility: Facility,
  doors: readonly Door[],
  {
    appointments,
    holds,
    day,
    now,
  }: { appointments: readonly AppointmentRecord[]; holds: readonly SlotHoldRecord[]; day: number; now: number },
): Promise<z.input<typeof Board>['doors']> {
  const unfinished = appointments.filter(({ endAt }) => endAt > now)
  const conflicts = new Map(
    findCurrentConflicts(unfinished, { ...facility, doors: [...doors] }).map(({ appointment, reason }) => [
      appointment.id,
      reason,
    ]),
  )
  const appointmentsByDoor = groupBy(appointments, ({ doorId }) => doorId)
  const holdsByDoor = groupBy(holds, ({ doorId }) => doorId)
  const listAppointmentsOf = (id: string) =>
    (appointmentsByDoor.get(id) ?? []).map((record) => ({
      ...record,
      ...presentTimes(facility, record),
      step: record.step,
      conflict: conflicts.get(record.id) ?? null,
      attention: judgeAttention(record, { now, graceMinutes: facility.graceMinutes }),
    }))
  const listHoldsOf = (id: string) =>
    (holdsByDoor.get(id) ?? []).map((hold) => ({
      ...hold,
      ...presentTimes(facility, hold),
      expiresAt: formatInstant(hold.expiresAt),
    }))
  const openAt = new Map<string, ReturnType<typeof presentSpan>[]>()
  for (const together of groupDoorsOpenTogether(facility, doors)) {
    const open = listOpenSpans(facility, together, day).map(presentSpan)
    for (const { id } of together.doors) openAt.set(id, open)
    await checkpoint(ctx)
  }
  const known = new Set(doors.map(({ id }) => id))
  const removed = new Map(
    appointments.filter(({ doorId }) => !known.has(doorId)).map(({ doorId, doorName }) => [doorId, doorName]),
  )
  return [
    ...doors.map((door) => ({
      ...door,
      open: openAt.get(door.id)!,
      appointments: listAppointmentsOf(door.id),
      holds: listHoldsOf(door.id),
    })),
    ...[...removed].map(([id, name]) => ({
      id,
      name,
      active: false,
      open: [],
      appointments: listAppointmentsOf(id),
      holds: [],
    })),
  ]
}

function presentTimes({ timeZone }: Facility, { startAt, endAt }: { startAt: number; endAt: number }) {
  return {
    startTime: formatInstant(startAt),
    endTime: formatInstant(endAt),
    localStart: formatLocalTime(timeZone, startAt),
    localEnd: formatLocalTime(timeZone, endAt),
  }
}

function presentSpan({ from, to }: Span): { from: string; to: string } {
  return { from: formatInstant(from), to: formatInstant(to) }
}
