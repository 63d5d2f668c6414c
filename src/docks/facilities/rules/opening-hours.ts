import { DAY_MS, type DayNumber, HOUR_MS, parseDate, parseTimeOfDay } from '../../../kernel/time'
import { groupBy } from '../../../kernel/work/group-by'
import { mergeSpans, type Span, subtractSpans } from '../../booking/rules/spans'
import { getWeekday } from '../../rules/calendar-date'
import { WeakMemo } from '../../rules/weak-memo'
import { findWindowEnd, findWindowStart, formatLocalTime, listDayParts } from '../../rules/zoned-time'
import {
  type AppointmentType,
  appointmentTypes,
  type BlockedTime,
  type Door,
  type FacilityRules,
  type OperatingQueue,
  type WeeklyHours,
} from './facility'

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
  const queues = new DoorEntries(facility.queues.filter(({ types }) => types?.includes(type) ?? true))
  const [breaks, blocked] = [new DoorEntries(facility.breaks), new DoorEntries(facility.blockedTimes)]
  for (const door of candidates.sort((a, b) => a.position - b.position)) {
    const key = [queues, breaks, blocked].map((entries) => entries.keyOf(door)).join(';')
    const group = groups.get(key)
    if (group) group.doors.push(door)
    else groups.set(key, { doors: [door], queues: queues.of(door), breaks: breaks.of(door), blocked: blocked.of(door) })
  }
  return [...groups.values()]
}

/** Entries of which each is for some doors, or for all. */
class DoorEntries<Entry extends { doors: string[] | null }> {
  readonly #forAll: number[] = []
  readonly #placesByDoor = new Map<string, number[]>()
  readonly #known = new Map<string, readonly Entry[]>()

  constructor(private readonly entries: readonly Entry[]) {
    for (const [place, { doors }] of entries.entries()) {
      if (doors === null) this.#forAll.push(place)
      for (const name of new Set(doors ?? [])) {
        const places = this.#placesByDoor.get(name)
        if (places) places.push(place)
        else this.#placesByDoor.set(name, [place])
      }
    }
  }

  /** The same for two doors exactly if the same entries are for both. */
  keyOf({ name }: Door): string {
    return (this.#placesByDoor.get(name) ?? []).join()
  }

  /** In their order. Doors with the same key get the same array. */
  of(door: Door): readonly Entry[] {
    const key = this.keyOf(door)
    const known = this.#known.get(key)
    if (known) return known
    const places = [...this.#forAll, ...(this.#placesByDoor.get(door.name) ?? [])].sort((a, b) => a - b)
    const found = Object.freeze(places.map((place) => this.entries[place]!))
    this.#known.set(key, found)
    return found
  }
}

/** The hours around a date, up to the latest end of an appointment that starts on it. */
export function getOpeningHours(
  facility: FacilityRules,
  group: DoorGroup,
  day: DayNumber,
  lengthMs: number,
): OpeningHours {
  const { closures, timeZone } = facility
  const { queues, breaks } = group
  const name = `${day} ${lengthMs} ${timeZone}`
  // The same for all groups that differ in their blocked time only.
  const schedule = scheduleMemo.get([queues, breaks, closures], name, () =>
    computeSchedule(facility, group, day, lengthMs),
  )
  const blocked = getBlockedSpans(group)
  return blocked.length === 0 ? schedule : { ...schedule, open: subtractSpans(schedule.scheduled, blocked) }
}

/** The hours without regard to blocked time. */
function computeSchedule(facility: FacilityRules, group: DoorGroup, day: DayNumber, lengthMs: number): OpeningHours {
  // The day before, for windows that cross midnight; days after, of which a clock change may shorten or skip one.
  const first = day - 1
  const last = day + 2 + Math.ceil(lengthMs / DAY_MS)
  const windows = mergeSpans(expandWeekly(facility.timeZone, group.queues, first, last))
  const breaks = expandWeekly(facility.timeZone, group.breaks, first, last)
  const closed = listClosedDays(facility, first, last).flatMap((closedDay) =>
    listDayParts(facility.timeZone, closedDay),
  )
  const scheduled = subtractSpans(windows, mergeSpans([...breaks, ...closed]))
  return { windows, scheduled, open: scheduled }
}

function getBlockedSpans(group: DoorGroup): readonly Span[] {
  return blockedMemo.get([group], '', () =>
    mergeSpans(group.blocked.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }))),
  )
}

export function isClosedOn({ closures }: FacilityRules, day: DayNumber): boolean {
  const parsed = closuresMemo.get([closures], '', () =>
    closures.map(({ from, to }) => ({ first: parseDate(from), last: parseDate(to) })),
  )
  return parsed.some(({ first, last }) => first <= day && day <= last)
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

/** Doors with the same hours for all types of appointment. */
export interface DoorsOpenTogether {
  doors: readonly Door[]
  /** Their groups, one for each type that they accept; none for inactive doors. */
  groups: readonly DoorGroup[]
}

/** All doors, together with those that have the same hours. */
export function groupDoorsOpenTogether(facility: FacilityRules, doors: readonly Door[]): DoorsOpenTogether[] {
  const groupsOf = new Map<Door, DoorGroup[]>(doors.map((door) => [door, []]))
  const groups = appointmentTypes.flatMap((type) => groupDoorsByHours(facility, doors, type))
  for (const group of groups) for (const door of group.doors) groupsOf.get(door)!.push(group)
  return [...groupBy(groupsOf, ([, own]) => own.map((group) => groups.indexOf(group)).join(' ')).values()].map(
    (together) => ({ doors: together.map(([door]) => door), groups: together[0]![1] }),
  )
}

/** The spans of the date in which doors accept appointments of any type. */
export function listOpenSpans(facility: FacilityRules, { groups }: DoorsOpenTogether, day: DayNumber): Span[] {
  const date = getDaySpan(facility.timeZone, day)
  if (date === null) return []
  const open = groups.flatMap((group) => getOpeningHours(facility, group, day, DAY_MS).open)
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

/** Facilities are read often and changed rarely. */
const groupMemo = new WeakMemo<readonly DoorGroup[]>()
const scheduleMemo = new WeakMemo<OpeningHours>()
const blockedMemo = new WeakMemo<readonly Span[]>()
const closuresMemo = new WeakMemo<readonly { first: DayNumber; last: DayNumber }[]>()
