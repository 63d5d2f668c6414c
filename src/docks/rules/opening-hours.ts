import { DAY_MS, type DayNumber, dayOfDate, minutesOfTime, weekdayOf } from './calendar-date'
import type { AppointmentType, Door, FacilityRules, OperatingQueue, WeeklyHours } from './facility'
import { KeptBeside } from './kept-beside'
import { partsOfDay, windowEnd, windowStart } from './local-time'
import { mergeSpans, type Span, subtractSpans } from './spans'

/** Doors that keep the same hours for a type of appointment, by position. */
export interface DoorGroup {
  doors: Door[]
  queues: readonly OperatingQueue[]
  breaks: readonly WeeklyHours[]
}

export interface OpeningHours {
  /** The weekly windows alone, continuous where they touch. */
  windows: readonly Span[]
  /** What closures and breaks leave of them. */
  open: readonly Span[]
}

/** The active doors that take the type, those with the same hours together. */
export function doorGroups(
  facility: FacilityRules,
  doors: readonly Door[],
  type: AppointmentType,
): readonly DoorGroup[] {
  return knownGroups.get([doors, facility.queues, facility.breaks], type, () => {
    const groups = groupDoors(facility, doors, type)
    for (const group of groups) Object.freeze(group)
    return groups
  })
}

/** A facility is asked again and again, and seldom changed. */
const knownGroups = new KeptBeside<readonly DoorGroup[]>()
const knownHours = new KeptBeside<OpeningHours>()

function groupDoors(facility: FacilityRules, doors: readonly Door[], type: AppointmentType): DoorGroup[] {
  const groups = new Map<string, DoorGroup>()
  const candidates = doors.filter((door) => door.active && door.types.includes(type))
  for (const door of candidates.sort((a, b) => a.position - b.position)) {
    const queues = facility.queues.filter((queue) => isFor(queue, door) && (queue.types?.includes(type) ?? true))
    const breaks = facility.breaks.filter((pause) => isFor(pause, door))
    const key = JSON.stringify([queues, breaks])
    const group = groups.get(key)
    if (group) group.doors.push(door)
    else groups.set(key, { doors: [door], queues, breaks })
  }
  return [...groups.values()]
}

function isFor(hours: WeeklyHours, door: Door): boolean {
  return hours.doors?.includes(door.name) ?? true
}

/** The hours around a date, as far as an appointment that starts on it can reach. */
export function openingHours(
  facility: FacilityRules,
  group: DoorGroup,
  day: DayNumber,
  lengthMs: number,
): OpeningHours {
  const { closures, timeZone } = facility
  const name = `${day} ${lengthMs} ${timeZone}`
  return knownHours.get([group, closures], name, () => workOutHours(facility, group, day, lengthMs))
}

function workOutHours(facility: FacilityRules, group: DoorGroup, day: DayNumber, lengthMs: number): OpeningHours {
  // A day before, for what runs over midnight; days after, of which a change of the clock may shorten or skip one.
  const first = day - 1
  const last = day + 2 + Math.ceil(lengthMs / DAY_MS)
  const windows = mergeSpans(expandWeekly(facility.timeZone, group.queues, first, last))
  const breaks = expandWeekly(facility.timeZone, group.breaks, first, last)
  const closed = closedDays(facility, first, last).flatMap((closedDay) => partsOfDay(facility.timeZone, closedDay))
  return { windows, open: subtractSpans(windows, mergeSpans([...breaks, ...closed])) }
}

export function isClosure(facility: FacilityRules, day: DayNumber): boolean {
  return facility.closures.some((closure) => dayOfDate(closure.from) <= day && day <= dayOfDate(closure.to))
}

function closedDays(facility: FacilityRules, first: DayNumber, last: DayNumber): DayNumber[] {
  return daysBetween(first, last).filter((day) => isClosure(facility, day))
}

function expandWeekly(timeZone: string, hours: readonly WeeklyHours[], first: DayNumber, last: DayNumber): Span[] {
  return daysBetween(first, last).flatMap((day) =>
    hours
      .filter((entry) => entry.days.includes(weekdayOf(day)))
      .map(({ start, end }) => ({
        from: windowStart(timeZone, day, minutesOfTime(start)),
        to: windowEnd(timeZone, end <= start ? day + 1 : day, minutesOfTime(end)),
      })),
  )
}

function daysBetween(first: DayNumber, last: DayNumber): DayNumber[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
