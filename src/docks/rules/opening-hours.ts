import { DAY_MS, HOUR_MS } from '../../kernel/time'
import { type DayNumber, parseDate, parseTimeOfDay, weekdayOf } from './calendar-date'
import type { AppointmentType, Door, FacilityRules, OperatingQueue, WeeklyHours } from './facility'
import { mergeSpans, type Span, subtractSpans } from './spans'
import { formatLocalTime, listDayParts, windowEnd, windowStart } from './zoned-time'

/** Doors with the same hours for a type of appointment, by position. */
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
export function groupDoorsByHours(
  facility: FacilityRules,
  doors: readonly Door[],
  type: AppointmentType,
): readonly DoorGroup[] {
  return groupMemo.get([doors, facility.queues, facility.breaks], type, () => {
    const groups = groupDoors(facility, doors, type)
    for (const group of groups) Object.freeze(group)
    return groups
  })
}

function groupDoors(facility: FacilityRules, doors: readonly Door[], type: AppointmentType): DoorGroup[] {
  const groups = new Map<string, DoorGroup>()
  const candidates = doors.filter((door) => door.active && door.types.includes(type))
  for (const door of candidates.sort((a, b) => a.position - b.position)) {
    const queues = facility.queues.filter((queue) => isForDoor(queue, door) && (queue.types?.includes(type) ?? true))
    const breaks = facility.breaks.filter((pause) => isForDoor(pause, door))
    const key = JSON.stringify([queues, breaks])
    const group = groups.get(key)
    if (group) group.doors.push(door)
    else groups.set(key, { doors: [door], queues, breaks })
  }
  return [...groups.values()]
}

function isForDoor(hours: WeeklyHours, door: Door): boolean {
  return hours.doors?.includes(door.name) ?? true
}

/** The hours around a date, as far as an appointment that starts on it can reach. */
export function getOpeningHours(
  facility: FacilityRules,
  group: DoorGroup,
  day: DayNumber,
  lengthMs: number,
): OpeningHours {
  const { closures, timeZone } = facility
  const name = `${day} ${lengthMs} ${timeZone}`
  return hoursMemo.get([group, closures], name, () => computeHours(facility, group, day, lengthMs))
}

function computeHours(facility: FacilityRules, group: DoorGroup, day: DayNumber, lengthMs: number): OpeningHours {
  // A day before, for what runs over midnight; days after, of which a change of the clock may shorten or skip one.
  const first = day - 1
  const last = day + 2 + Math.ceil(lengthMs / DAY_MS)
  const windows = mergeSpans(expandWeekly(facility.timeZone, group.queues, first, last))
  const breaks = expandWeekly(facility.timeZone, group.breaks, first, last)
  const closed = closedDays(facility, first, last).flatMap((closedDay) => listDayParts(facility.timeZone, closedDay))
  return { windows, open: subtractSpans(windows, mergeSpans([...breaks, ...closed])) }
}

export function isClosedOn(facility: FacilityRules, day: DayNumber): boolean {
  return facility.closures.some((closure) => parseDate(closure.from) <= day && day <= parseDate(closure.to))
}

function closedDays(facility: FacilityRules, first: DayNumber, last: DayNumber): DayNumber[] {
  return daysBetween(first, last).filter((day) => isClosedOn(facility, day))
}

function expandWeekly(timeZone: string, hours: readonly WeeklyHours[], first: DayNumber, last: DayNumber): Span[] {
  return daysBetween(first, last).flatMap((day) =>
    hours
      .filter((entry) => entry.days.includes(weekdayOf(day)))
      .map(({ start, end }) => ({
        from: windowStart(timeZone, day, parseTimeOfDay(start)),
        to: windowEnd(timeZone, end <= start ? day + 1 : day, parseTimeOfDay(end)),
      })),
  )
}

function daysBetween(first: DayNumber, last: DayNumber): DayNumber[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** The date from its first instant to its last; null where the clock skips it. */
export function spanOfDay(timeZone: string, day: DayNumber): Span | null {
  const parts = listDayParts(timeZone, day)
  return parts.length === 0 ? null : { from: parts[0]!.from, to: parts.at(-1)!.to }
}

/** When a door takes appointments of any of its types within the date. */
export function listOpenSpans(facility: FacilityRules, door: Door, day: DayNumber): Span[] {
  const date = spanOfDay(facility.timeZone, day)
  if (date === null) return []
  const open = door.types.flatMap((type) =>
    groupDoorsByHours(facility, [door], type).flatMap((group) => getOpeningHours(facility, group, day, DAY_MS).open),
  )
  return mergeSpans(open.map(({ from, to }) => ({ from: Math.max(from, date.from), to: Math.min(to, date.to) })))
}

/** Every full hour that the clock shows on the date, in order: 23 on some dates, 25 on others. */
export function listHours(timeZone: string, day: DayNumber): { at: number; clock: string }[] {
  return listDayParts(timeZone, day).flatMap((part) => {
    const first = Math.ceil((part.from + part.offset) / HOUR_MS) * HOUR_MS - part.offset
    const count = Math.max(0, Math.ceil((part.to - first) / HOUR_MS))
    return Array.from({ length: count }, (_, index) => {
      const at = first + index * HOUR_MS
      return { at, clock: formatLocalTime(timeZone, at) }
    })
  })
}

const MAX_VALUES = 200

/**
 * Caches values derived from frozen objects for as long as the objects live. The objects and a name are the key.
 * Values of objects that are not frozen are not cached.
 */
class WeakMemo<Value> {
  readonly #below = new WeakMap<object, WeakMemo<Value>>()
  readonly #values = new Map<string, Value>()

  get(objects: readonly object[], name: string, make: () => Value): Value {
    if (!objects.every(Object.isFrozen)) return make()
    let place: WeakMemo<Value> = this
    for (const object of objects) place = place.#beside(object)
    return place.#named(name, make)
  }

  #beside(object: object): WeakMemo<Value> {
    const known = this.#below.get(object)
    if (known) return known
    const made = new WeakMemo<Value>()
    this.#below.set(object, made)
    return made
  }

  #named(name: string, make: () => Value): Value {
    const known = this.#values.get(name)
    if (known !== undefined) return known
    if (this.#values.size >= MAX_VALUES) this.#values.clear()
    const made = make()
    this.#values.set(name, made)
    return made
  }
}

/** Facilities are read often and changed rarely. */
const groupMemo = new WeakMemo<readonly DoorGroup[]>()
const hoursMemo = new WeakMemo<OpeningHours>()
