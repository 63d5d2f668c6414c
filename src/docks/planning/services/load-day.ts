import { checkpoint } from '../../../kernel'
import { type DayNumber, MINUTE_MS } from '../../../kernel/time'
import type { ReadTx } from '../../../storage'
import { isFreeToMove } from '../../booking/rules/free-to-move'
import { listAmounts, listClockHours } from '../../booking/rules/limits'
import type { CountedLoad } from '../../booking/rules/load'
import { listAlignedStarts } from '../../booking/rules/slot-search'
import { getFacilityCapacity, isOverlapping, widenSpan } from '../../booking/rules/spans'
import { type ConflictReason, DoorRules, toBookedSpan } from '../../facilities/rules/conflicts'
import { type Door, type Facility, MAX_APPOINTMENT_MS } from '../../facilities/rules/facility'
import { getDaySpan } from '../../facilities/rules/opening-hours'
import { type AppointmentRecord, findDoors, listAppointmentsWithin, listHeldSpans } from '../../queries'
import { getLocalDay } from '../../rules/zoned-time'
import { isAbsent, isTruckAtDoor } from '../../visits/rules/appointment-steps'
import type { DayProblem, FixedStay, PlanLimit, PlanStart, PlanTask } from '../rules/day-problem'

/** A date of a facility as a problem, with what its numbers mean. */
export interface LoadedDay {
  facility: Facility
  /** By position. */
  doors: readonly Door[]
  problem: DayProblem
  /** The appointments that may move, by their number. */
  tasks: readonly PlannedAppointment[]
  /** Who stays, by the numbers of the fixed stays; null for a hold. */
  fixed: readonly (AppointmentRecord | null)[]
  now: number
}

export interface PlannedAppointment {
  record: AppointmentRecord
  /** Its truck cannot be there before this instant, because it is late; null if it is not. */
  expectedAt: number | null
  /** Why the facility's rules do not allow it where it is; null if they do. */
  conflict: ConflictReason | null
}

/** What a minute of delay costs for a truck that waits in the yard, compared with one that is on the road. */
const WAITING_WEIGHT = 2

/** Who is at a door, or was there so that limits count it. */
interface Stay extends FixedStay, Partial<CountedLoad> {
  doorId: string
  record: AppointmentRecord | null
  /** Whether limits count it. They count each appointment by the time for which it is booked. */
  isCounted: boolean
}

/** What is true of a date now. Null if the clock skips the date. */
export async function loadDay(
  ctx: Parameters<typeof checkpoint>[0],
  tx: ReadTx,
  facility: Facility,
  { day, now }: { day: DayNumber; now: number },
): Promise<LoadedDay | null> {
  const date = getDaySpan(facility.timeZone, day)
  if (date === null) return null
  const minute = Math.ceil(now / MINUTE_MS) * MINUTE_MS
  const doors = [...(await findDoors(tx, facility.id))].sort((a, b) => a.position - b.position)
  const numbers = new Map(doors.map(({ id }, number) => [id, number]))
  const bufferMs = facility.bufferMinutes * MINUTE_MS
  const known = widenSpan(date, MAX_APPOINTMENT_MS + bufferMs)
  const rules = new DoorRules(facility, doors)
  const slotMs = facility.slotMinutes * MINUTE_MS
  const tasks: (PlannedAppointment & { task: PlanTask })[] = []
  const stays: Stay[] = []
  for (const record of await listAppointmentsWithin(tx, facility.id, known)) {
    const door = numbers.get(record.doorId) ?? -1
    const state = judge(record, { facility, day, now: minute, slotMs })
    if (state.isFixed) stays.push(...listStays(record, { door, state, freeBefore: minute - bufferMs }))
    else {
      const places = listPlaces(record, { facility, numbers, rules, day, from: state.from })
      const task = {
        home: { start: record.startAt, door },
        lengthMs: record.endAt - record.startAt,
        weight: record.step === 'checked_in' ? WAITING_WEIGHT : 1,
        places,
      }
      tasks.push({ record, expectedAt: state.expectedAt, conflict: rules.findReason(toBookedSpan(record)), task })
      await checkpoint(ctx)
    }
  }
  const held = await listHeldSpans(tx, {
    ...{ facilityId: facility.id, after: known.from - MAX_APPOINTMENT_MS, now, ...known },
    isCounted: facility.limits.length > 0,
  })
  const holds = held.map((hold): Stay => {
    return { ...hold, door: numbers.get(hold.doorId) ?? -1, record: null, isCounted: true }
  })
  const longest = tasks.reduce((most, { task: { lengthMs } }) => Math.max(most, lengthMs), 0)
  const reach = widenSpan({ from: date.from, to: date.to + longest }, bufferMs)
  const fixed = [...stays, ...holds].filter((stay) => isOverlapping(stay, reach))
  const limits = listLimits(facility, doors, { day, tasks: tasks.map(({ record }) => record), fixed })
  return {
    ...{ facility, doors, now },
    problem: {
      doorCount: doors.length,
      bufferMs,
      tasks: tasks.map(({ task }) => task),
      fixed: fixed.map(({ door, from, to }) => ({ door, from, to })),
      limits,
    },
    tasks: tasks.map(({ task: _, ...planned }) => planned),
    fixed: fixed.map(({ record }) => record),
  }
}

/** A stay at its door, and one that limits count if that has another start. What is over is at no door any more. */
function listStays(
  record: AppointmentRecord,
  { door, state, freeBefore }: { door: number; state: Judged & { isFixed: true }; freeBefore: number },
): Stay[] {
  const from = state.since ?? record.startAt
  const isEarly = from < record.startAt
  const stay = { ...toBookedSpan(record), from, to: state.until, record, isCounted: !isEarly }
  const counted = { ...toBookedSpan(record), door: -1, record, isCounted: true }
  return [{ ...stay, door: state.until > freeBefore ? door : -1 }, ...(isEarly ? [counted] : [])]
}

type Judged =
  | { isFixed: true; since?: number; until: number }
  | { isFixed: false; from: number; expectedAt: number | null }

/**
 * Whether an appointment may move, and from when on. One whose truck has left, or did not come in all its time, stays. A truck that stays
 * beyond its end is expected to leave within a slot. A late truck is expected at the next start at least a slot from now.
 */
function judge(
  record: AppointmentRecord,
  { facility, day, now, slotMs }: { facility: Facility; day: DayNumber; now: number; slotMs: number },
): Judged {
  const { status, step, startAt, endAt } = record
  // A slot that was not released stays taken, also if its truck has left, did not come or was turned away.
  if (status !== 'scheduled' || isAbsent(step)) return { isFixed: true, until: endAt }
  if (isTruckAtDoor(record))
    return { isFixed: true, since: Math.min(startAt, now), until: endAt > now ? endAt : now + slotMs }
  const isWaiting = step === 'checked_in'
  if (!isWaiting && endAt <= now) return { isFixed: true, until: endAt }
  const isLate = !isWaiting && startAt <= now
  const expectedAt = isLate ? now + slotMs : null
  const from = isWaiting ? now : (expectedAt ?? startAt)
  if (!isFreeToMove(record, facility) || getLocalDay(facility.timeZone, startAt) !== day)
    return { isFixed: true, until: Math.max(endAt, isLate || isWaiting ? now + endAt - startAt : endAt) }
  return { isFixed: false, from, expectedAt }
}

/** The booked start if it is still possible, and every start that the facility offers on the date from `from` on. */
function listPlaces(
  record: AppointmentRecord,
  {
    facility,
    numbers,
    rules,
    day,
    from,
  }: { facility: Facility; numbers: ReadonlyMap<string, number>; rules: DoorRules; day: DayNumber; from: number },
): PlanStart[] {
  const lengthMs = record.endAt - record.startAt
  const offered = listAlignedStarts(facility, day, from)
  const starts = from <= record.startAt ? [...new Set([record.startAt, ...offered])] : offered
  const groups = rules.groupDoorsFor(record)
  // Starts share their doors, because a day has many starts and a facility many doors.
  const known = new Map<string, number[]>()
  const listDoors = (start: number) => {
    const open = groups.map(({ isOpen }) => isOpen({ from: start, to: start + lengthMs }))
    const key = open.join()
    const list = () =>
      groups.flatMap((group, index) => (open[index] ? group.doors.map(({ id }) => numbers.get(id)!) : []))
    const doors = known.get(key) ?? list().sort((a, b) => a - b)
    known.set(key, doors)
    return doors
  }
  return starts
    .sort((a, b) => a - b)
    .map((start) => ({ start, doors: listDoors(start) }))
    .filter((place) => place.doors.length > 0)
}

/** Limits of a day count the same wherever on the date an appointment is. */
function listLimits(
  facility: Facility,
  doors: readonly Door[],
  { day, tasks, fixed }: { day: DayNumber; tasks: readonly AppointmentRecord[]; fixed: readonly Stay[] },
): PlanLimit[] {
  const loads = [...tasks, ...fixed]
  const split = (amounts: readonly number[]) => ({
    taskAmounts: amounts.slice(0, tasks.length),
    fixedAmounts: fixed.map(({ isCounted }, index) => (isCounted ? amounts[tasks.length + index]! : 0)),
  })
  const { capacity, doors: active } = getFacilityCapacity(facility, doors)
  const isBoundByDoors = active.size <= capacity && loads.every(({ doorId }) => active.has(doorId))
  const ofCapacity = isBoundByDoors
    ? []
    : [{ max: capacity, isForOwnTime: true, periods: null, ...split(loads.map(() => 1)) }]
  const hours = listClockHours(facility.timeZone, day)
  const booked = facility.limits
    .filter(({ per }) => per !== 'day')
    .flatMap((limit) =>
      listAmounts(limit, loads).map((amounts) => ({
        ...{ max: limit.max, isForOwnTime: false, periods: limit.per === 'hour' ? hours : null },
        ...split(amounts),
      })),
    )
  return [...ofCapacity, ...booked]
}
