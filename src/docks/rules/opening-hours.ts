import { DAY_MS, type DayNumber, HOUR_MS, parseDate, parseTimeOfDay } from '../../kernel/time'
import { getWeekday } from './calendar-date'
import type { AppointmentType, BlockedTime, Door, FacilityRules, OperatingQueue, WeeklyHours } from './facility'
import { mergeSpans, type Span, subtractSpans } from './spans'
import { findWindowEnd, findWindowStart, formatLocalTime, listDayParts } from './zoned-time'

/** Doors with the same hours for a type of appointment, by position. */
export interface DoorGroup {
  doors: Door[]
  queues: readonly OperatingQueue[]
  breaks: readonly WeeklyHours[]
  blocked: readonly BlockedTime[]
}

export interface OpeningHours {
  /** The weekly windows, merged where they touch. */
  windows: readonly Span[]
  /** The windows without closures and breaks. */
  scheduled: readonly Span[]
  /** The same without blocked time. */
  open: readonly Span[]
}

/** The active doors that accept the type, grouped by their hours. */
export function groupDoorsByHours(
  facility: FacilityRules,
  doors: readonly Door[],
  type: AppointmentType,
): readonly DoorGroup[] {
  return groupMemo.get([doors, facility.queues, facility.breaks, facility.blockedTimes], type, () => {
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
    const blocked = facility.blockedTimes.filter((span) => isForDoor(span, door))
    const key = JSON.stringify([queues, breaks, blocked])
    const group = groups.get(key)
    if (group) group.doors.push(door)
    else groups.set(key, { doors: [door], queues, breaks, blocked })
  }
  return [...groups.values()]
}

function isForDoor(hours: { doors: string[] | null }, door: Door): boolean {
  return hours.doors?.includes(door.name) ?? true
}

/** The hours around a date, up to the latest end of an appointment that starts on it. */
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
  // The day before, for windows that cross midnight; days after, of which a clock change may shorten or skip one.
  const first = day - 1
  const last = day + 2 + Math.ceil(lengthMs / DAY_MS)
  const windows = mergeSpans(expandWeekly(facility.timeZone, group.queues, first, last))
  const breaks = expandWeekly(facility.timeZone, group.breaks, first, last)
  const closed = listClosedDays(facility, first, last).flatMap((closedDay) =>
    listDayParts(facility.timeZone, closedDay),
  )
  const scheduled = subtractSpans(windows, mergeSpans([...breaks, ...closed]))
  const blocked = group.blocked.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }))
  return { windows, scheduled, open: subtractSpans(scheduled, mergeSpans(blocked)) }
}

export function isClosedOn(facility: FacilityRules, day: DayNumber): boolean {
  return facility.closures.some((closure) => parseDate(closure.from) <= day && day <= parseDate(closure.to))
}

function listClosedDays(facility: FacilityRules, first: DayNumber, last: DayNumber): DayNumber[] {
  return listDays(first, last).filter((day) => isClosedOn(facility, day))
}

function expandWeekly(timeZone: string, hours: readonly WeeklyHours[], first: DayNumber, last: DayNumber): Span[] {
  return listDays(first, last).flatMap((day) =>
    hours
      .filter((entry) => entry.days.includes(getWeekday(day)))
      .map(({ start, end }) => ({
        from: findWindowStart(timeZone, day, parseTimeOfDay(start)),
        to: findWindowEnd(timeZone, end <= start ? day + 1 : day, parseTimeOfDay(end)),
      })),
  )
}

function listDays(first: DayNumber, last: DayNumber): DayNumber[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** The span of the date; null if the clock skips it. */
export function getDaySpan(timeZone: string, day: DayNumber): Span | null {
  const parts = listDayParts(timeZone, day)
  return parts.length === 0 ? null : { from: parts[0]!.from, to: parts.at(-1)!.to }
}

/** The spans of the date in which a door accepts appointments of any of its types. */
export function listOpenSpans(facility: FacilityRules, door: Door, day: DayNumber): Span[] {
  const date = getDaySpan(facility.timeZone, day)
  if (date === null) return []
  const open = door.types.flatMap((type) =>
    groupDoorsByHours(facility, [door], type).flatMap((group) => getOpeningHours(facility, group, day, DAY_MS).open),
  )
  return mergeSpans(open.map(({ from, to }) => ({ from: Math.max(from, date.from), to: Math.min(to, date.to) })))
}

/** Every full hour that the clock shows on the date: 23 or 25 of them if the clock changes. */
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
 * Caches values derived from frozen objects as long as the objects exist. The objects and a name are the key. Values of objects that are
 * not frozen are not cached.
 */
class WeakMemo<Value> {
  readonly #children = new WeakMap<object, WeakMemo<Value>>()
  readonly #values = new Map<string, Value>()

  get(objects: readonly object[], name: string, make: () => Value): Value {
    if (!objects.every(Object.isFrozen)) return make()
    let node: WeakMemo<Value> = this
    for (const object of objects) node = node.#getChild(object)
    return node.#getValue(name, make)
  }

  #getChild(object: object): WeakMemo<Value> {
    const known = this.#children.get(object)
    if (known) return known
    const made = new WeakMemo<Value>()
    this.#children.set(object, made)
    return made
  }

  #getValue(name: string, make: () => Value): Value {
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
