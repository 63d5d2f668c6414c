import { DAY_MS, MINUTE_MS } from '../../kernel/time'
import type { DayNumber } from './calendar-date'
import type { AppointmentType, Door, FacilityRules } from './facility'
import { type BusySpan, type FacilityCapacity, findFullSpans, groupByDoor } from './occupancy'
import { type DoorGroup, getOpeningHours, groupDoorsByHours, isClosedOn, type OpeningHours } from './opening-hours'
import { findFirstEndingAfter, isOverlapping, type Span, subtractSpans } from './spans'
import { type DayPart, listDayParts } from './zoned-time'

export interface SlotRequest {
  facility: FacilityRules
  /** How many appointments the facility takes concurrently. */
  places: FacilityCapacity
  /** Those that may be had. */
  doors: readonly Door[]
  type: AppointmentType
  minutes: number
  /** The first and the last date on which it may start. */
  firstDay: DayNumber
  lastDay: DayNumber
  /** No start before this instant. */
  notBefore: number
}

export type SlotSearchResult = { slot: Slot } | { slot: null; refusals: DayRefusal[] }

/** A search that yields the stretch of time of which it must know what is taken, and is given that in return. */
export type Search<Answer> = Generator<Span, Answer, readonly BusySpan[]>

/** The earliest free slot, day by day; at a tie the door's position decides. A date is read only when it is come to. */
export function* searchSlot(request: SlotRequest): Search<SlotSearchResult> {
  const groups = groupDoorsByHours(request.facility, request.doors, request.type)
  const refusals: DayRefusal[] = []
  for (let day = request.firstDay; day <= request.lastDay; day++) {
    const date = new DateSearch(request, groups, day)
    const slot = date.reach && date.findEarliest(yield date.reach)
    if (slot) return { slot }
    refusals.push(...date.explainRefusals())
  }
  return { slot: null, refusals }
}

export interface DayAvailability {
  /** Every start on the date, with the doors that are free for the whole length, the one that a booking takes first. */
  starts: Map<number, Door[]>
  /** Why the other doors gave nothing. */
  refusals: DayRefusal[]
}

/** All free slots that start on the first day of the request. */
export function* searchDay(request: Omit<SlotRequest, 'lastDay'>): Search<DayAvailability> {
  const date = new DateSearch(
    request,
    groupDoorsByHours(request.facility, request.doors, request.type),
    request.firstDay,
  )
  const starts = date.reach ? date.starts(yield date.reach) : new Map<number, Door[]>()
  const free = new Set([...starts.values()].flat().map(({ id }) => id))
  const refusals = date.explainRefusals().filter(({ doors }) => !doors.some(({ id }) => free.has(id)))
  return { starts, refusals }
}

/** What is looked for on a date. */
interface DateRequest {
  facility: FacilityRules
  /** How many appointments the facility takes concurrently. */
  places: FacilityCapacity
  minutes: number
  /** No start before this instant. */
  notBefore: number
}

export interface Slot extends Span {
  door: Door
}

export const refusalReasons = ['closed', 'closure', 'full', 'too_long_for_window', 'lead_time'] as const
type RefusalReason = (typeof refusalReasons)[number]

/** Why a date gave no slot on doors with the same hours. */
export interface DayRefusal {
  day: DayNumber
  doors: Door[]
  reason: RefusalReason
}

const NO_SPANS: readonly Span[] = []

/** One date, for the groups of doors that take the type of appointment. */
class DateSearch {
  /** Where something taken could matter; null when no start is possible even with all doors free. */
  readonly reach: Span | null
  private readonly lengthMs: number
  private readonly parts: DayPart[]
  private readonly groups: { group: DoorGroup; hours: OpeningHours }[]

  constructor(
    private readonly request: DateRequest,
    groups: readonly DoorGroup[],
    private readonly day: DayNumber,
  ) {
    this.lengthMs = request.minutes * MINUTE_MS
    this.parts = listDayParts(request.facility.timeZone, day)
    this.groups = groups.map((group) => ({
      group,
      hours: getOpeningHours(request.facility, group, day, this.lengthMs),
    }))
    const listStarts = this.groups
      .map(({ hours }) => this.firstStartIn(hours.open, request.notBefore))
      .filter((at) => at !== null)
    this.reach = listStarts.length ? { from: Math.min(...listStarts), to: this.parts.at(-1)!.to + this.lengthMs } : null
  }

  findEarliest(busy: readonly BusySpan[]): Slot | null {
    const taken = groupByDoor(busy)
    const full = findFullSpans(busy, this.request.places)
    let best: Slot | null = null
    for (const { group, hours } of this.groups) {
      const open = full.length === 0 ? hours.open : subtractSpans(hours.open, full)
      for (const door of group.doors) {
        const from = this.firstStartBetween(open, taken.get(door.id) ?? NO_SPANS)
        if (from === null) continue
        const wins = !best || from < best.from || (from === best.from && door.position < best.door.position)
        if (wins) best = { door, from, to: from + this.lengthMs }
      }
    }
    return best
  }

  /** Every start at which a door is free, with the doors that are, by position. */
  starts(busy: readonly BusySpan[]): Map<number, Door[]> {
    const taken = groupByDoor(busy)
    const full = findFullSpans(busy, this.request.places)
    const starts = new Map<number, Door[]>()
    for (const { group, hours } of this.groups) {
      const open = subtractSpans(hours.open, full)
      for (const door of group.doors) {
        for (const start of this.startsIn(subtractSpans(open, taken.get(door.id) ?? []))) {
          const free = starts.get(start)
          if (free) free.push(door)
          else starts.set(start, [door])
        }
      }
    }
    for (const free of starts.values()) free.sort((a, b) => a.position - b.position)
    return new Map([...starts].sort(([a], [b]) => a - b))
  }

  explainRefusals(): DayRefusal[] {
    if (this.groups.length === 0) return [{ day: this.day, doors: [], reason: 'closed' }]
    return this.groups.map(({ group, hours }) => ({ day: this.day, doors: group.doors, reason: this.reasonOf(hours) }))
  }

  private reasonOf(hours: OpeningHours): RefusalReason {
    if (isClosedOn(this.request.facility, this.day)) return 'closure'
    if (!hours.windows.some((window) => this.parts.some((part) => isOverlapping(window, part)))) return 'closed'
    if (this.firstStartIn(hours.open, Number.NEGATIVE_INFINITY) === null) return 'too_long_for_window'
    return this.firstStartIn(hours.open, this.request.notBefore) === null ? 'lead_time' : 'full'
  }

  /** The first start in `open` that leaves alone what is `taken`; both merged. The gaps are walked, not made. */
  private firstStartBetween(open: readonly Span[], taken: readonly Span[]): number | null {
    const slotMs = this.request.facility.slotMinutes * MINUTE_MS
    for (const { from, to } of open) {
      let next = Math.max(from, this.request.notBefore)
      let index = findFirstEndingAfter(taken, next)
      while (next + this.lengthMs <= to) {
        const hole = taken[index]
        const end = hole === undefined ? to : Math.min(to, hole.from)
        if (next + this.lengthMs <= end) {
          const start = findFirstStart(this.parts, slotMs, next)
          if (start === null) return null
          if (start + this.lengthMs <= end) return start
        }
        if (hole === undefined) break
        next = Math.max(next, hole.to)
        index++
      }
    }
    return null
  }

  /** The first start on this date at which the whole length is free. Within one gap only its first start need be tried. */
  private firstStartIn(free: readonly Span[], notBefore: number): number | null {
    const slotMs = this.request.facility.slotMinutes * MINUTE_MS
    for (const gap of free) {
      const start = findFirstStart(this.parts, slotMs, Math.max(gap.from, notBefore))
      if (start === null) return null
      if (start + this.lengthMs <= gap.to) return start
    }
    return null
  }

  private *startsIn(free: readonly Span[]): Generator<number> {
    const slotMs = this.request.facility.slotMinutes * MINUTE_MS
    for (const gap of free) {
      let start = findFirstStart(this.parts, slotMs, Math.max(gap.from, this.request.notBefore))
      while (start !== null && start + this.lengthMs <= gap.to) {
        yield start
        start = findFirstStart(this.parts, slotMs, start + 1)
      }
    }
  }
}

/**
 * The first instant at or after `notBefore` at which the date's wall clock shows a multiple of `slotMs` since 00:00.
 * Both passes of a repeated hour have such instants; null when the date has none left.
 */
function findFirstStart(parts: readonly DayPart[], slotMs: number, notBefore: number): number | null {
  for (const part of parts) {
    const midnight = part.day * DAY_MS - part.offset
    const sinceMidnight = Math.max(part.from, notBefore) - midnight
    const start = midnight + Math.ceil(sinceMidnight / slotMs) * slotMs
    if (start < part.to) return start
  }
  return null
}
