import { DAY_MS, type DayNumber, MINUTE_MS } from '../../../kernel/time'
import type { Door, FacilityRules } from '../../facilities/rules/facility'
import {
  type DoorGroup,
  getOpeningHours,
  groupDoorsByHours,
  isClosedOn,
  type OpeningHours,
} from '../../facilities/rules/opening-hours'
import { type DayPart, getLocalDay, listDayParts } from '../../rules/zoned-time'
import { findLimitedSpans, getDecisiveSpan, type Replacement } from './limits'
import { isSuitable, type Load } from './load'
import {
  type BusySpan,
  type FacilityCapacity,
  findFirstEndingAfter,
  findFullSpans,
  groupByDoor,
  isOverlapping,
  mergeSpans,
  type Span,
  subtractSpans,
} from './spans'

export interface SlotRequest {
  facility: FacilityRules
  /** How many concurrent appointments the facility accepts. */
  capacity: FacilityCapacity
  /** The doors that may be booked. */
  doors: readonly Door[]
  load: Load
  minutes: number
  /** The first and the last day on which the appointment may start. */
  firstDay: DayNumber
  lastDay: DayNumber
  /** No start before this instant. */
  notBefore: number
  /** The hours of each date in which it may start; null for all. */
  window?: ClockWindow | null
  /** Starts that are not accepted, although they may be free. */
  excludedStarts?: readonly number[]
  /** What the change gives up, which is not among the busy spans. */
  replaces?: Replacement | undefined
}

/** Minutes since 00:00 on the facility's clock, both included. */
export interface ClockWindow {
  from: number
  to: number
}

export type SlotSearchResult = { slot: Slot } | { slot: null; refusals: DayRefusal[] }

/** A search that yields each span for which it needs the busy spans, and receives them in return. It yields null where it can pause. */
export type Search<Result> = Generator<Span | null, Result, readonly BusySpan[]>

/** Finds the earliest free slot, day by day. If several doors tie, the lowest position wins. Later days are read only if needed. */
export function* searchSlot(request: SlotRequest): Search<SlotSearchResult> {
  const doors = selectDoors(request)
  const refusals: DayRefusal[] = []
  for (let day = request.firstDay; day <= request.lastDay; day++) {
    const date = new DateSearch(request, doors, day)
    yield null
    const slot = date.reach && date.findEarliest(yield date.reach)
    if (slot) return { slot }
    refusals.push(...(yield* date.explainRefusals()))
  }
  return { slot: null, refusals }
}

export interface DayAvailability {
  /** Every possible start on the date, with the doors that are free for the whole length. A booking takes the first. */
  starts: Map<number, Door[]>
  /** Why the other doors have no free slot. */
  refusals: DayRefusal[]
}

/** Finds all free slots that start on the first day of the request. */
export function* searchDay(request: Omit<SlotRequest, 'lastDay'>): Search<DayAvailability> {
  const date = new DateSearch(request, selectDoors(request), request.firstDay)
  yield null
  const starts = date.reach ? yield* date.findStarts(yield date.reach) : new Map<number, Door[]>()
  const refusals = (yield* date.explainRefusals()).filter(({ doors }) => !doors.some((door) => date.free.has(door)))
  return { starts, refusals }
}

export interface Slot extends Span {
  door: Door
}

export const refusalReasons = [
  'closed',
  'closure',
  'blocked',
  'full',
  'limit',
  'too_long_for_window',
  'outside_window',
  'lead_time',
  'requirements',
] as const
type RefusalReason = (typeof refusalReasons)[number]

/** Why a date has no free slot at doors with the same hours. */
export interface DayRefusal {
  day: DayNumber
  doors: Door[]
  reason: RefusalReason
}

interface SelectedDoors {
  /** The doors that can take the load, with the group whose hours they have. */
  groups: readonly { group: DoorGroup; doors: readonly Door[] }[]
  /** Doors that accept the type but cannot take the load. */
  unsuitable: Door[]
}

function selectDoors({ facility, doors, load }: Pick<SlotRequest, 'facility' | 'doors' | 'load'>): SelectedDoors {
  const groups = groupDoorsByHours(facility, doors, load.type)
  const unsuitable = groups.flatMap(({ doors }) => doors.filter((door) => !isSuitable(door, load)))
  const isKept = (door: Door) => !unsuitable.includes(door)
  return {
    groups: groups
      .map((group) => ({ group, doors: unsuitable.length === 0 ? group.doors : group.doors.filter(isKept) }))
      .filter(({ doors }) => doors.length > 0),
    unsuitable,
  }
}

const NO_SPANS: readonly Span[] = []

/** The search on one date, for the groups of doors that accept the type of appointment. */
class DateSearch {
  /** The span whose busy spans matter; null if no start is possible even with all doors free. */
  readonly reach: Span | null
  private readonly lengthMs: number
  private readonly bufferMs: number
  private readonly slotMs: number
  private readonly date: readonly DayPart[]
  /** The parts of the date in which it may start. */
  private readonly parts: readonly DayPart[]
  /** The doors at which `findStarts` has found a start. */
  readonly free = new Set<Door>()
  /** The doors that only limits keep from having a free slot. */
  private readonly limited = new Set<Door>()
  private readonly groups: { doors: readonly Door[]; hours: OpeningHours }[]

  constructor(
    private readonly request: Omit<SlotRequest, 'doors' | 'firstDay' | 'lastDay'>,
    private readonly selected: SelectedDoors,
    private readonly day: DayNumber,
  ) {
    this.lengthMs = request.minutes * MINUTE_MS
    this.slotMs = request.facility.slotMinutes * MINUTE_MS
    this.date = listDayParts(request.facility.timeZone, day)
    const parts = request.window ? listPartsWithin(this.date, request.window) : this.date
    this.parts = request.excludedStarts ? removeStarts(parts, request.excludedStarts) : parts
    this.groups = selected.groups.map(({ group, doors }) => ({
      doors,
      hours: getOpeningHours(request.facility, group, day, this.lengthMs),
    }))
    const starts = this.groups
      .map(({ hours }) => this.findFirstStartIn(hours.open, request.notBefore))
      .filter((at) => at !== null)
    this.bufferMs = request.facility.bufferMinutes * MINUTE_MS
    this.reach = starts.length
      ? getDecisiveSpan(request.facility, { from: Math.min(...starts), to: this.parts.at(-1)!.to + this.lengthMs })
      : null
  }

  findEarliest(busy: readonly BusySpan[]): Slot | null {
    const taken = groupByDoor(busy, this.bufferMs)
    const room = this.findRoom(busy)
    let best: Slot | null = null
    for (const { doors, hours } of this.groups) {
      const open = room.full.length === 0 ? hours.open : subtractSpans(hours.open, room.full)
      for (const door of doors) {
        const from = this.findFirstStartBetween(open, taken.get(door.id) ?? NO_SPANS, room.parts)
        if (from === null) continue
        const wins = !best || from < best.from || (from === best.from && door.position < best.door.position)
        if (wins) best = { door, from, to: from + this.lengthMs }
      }
    }
    if (best === null && room.isLimited) this.findLimitedDoors(busy, taken)
    return best
  }

  /** Every start at which doors are free, with those doors by position. */
  *findStarts(busy: readonly BusySpan[]): Search<Map<number, Door[]>> {
    const taken = groupByDoor(busy, this.bufferMs)
    const room = this.findRoom(busy)
    const starts = new Map<number, Door[]>()
    for (const { doors, hours } of this.groups) {
      const open = subtractSpans(hours.open, room.full)
      for (const door of doors) {
        for (const start of this.listStartsIn(subtractSpans(open, taken.get(door.id) ?? []), room.parts)) {
          const free = starts.get(start)
          if (free) free.push(door)
          else starts.set(start, [door])
          this.free.add(door)
        }
        yield null
      }
    }
    if (room.isLimited) this.findLimitedDoors(busy, taken)
    for (const free of starts.values()) free.sort((a, b) => a.position - b.position)
    return new Map([...starts].sort(([a], [b]) => a - b))
  }

  /** The spans in which the facility takes no more, and the parts of the date in which the load may start. */
  private findRoom(busy: readonly BusySpan[]): {
    full: readonly Span[]
    parts: readonly DayPart[]
    isLimited: boolean
  } {
    const { facility, capacity, load, replaces } = this.request
    const full = findFullSpans(busy, capacity, replaces?.ownTime)
    const { starts, moments } = findLimitedSpans(facility, load, busy, replaces)
    if (starts.length === 0 && moments.length === 0) return { full, parts: this.parts, isLimited: false }
    const parts = subtractFromParts(this.parts, starts)
    return { full: mergeSpans([...full, ...moments]), parts, isLimited: true }
  }

  /** Remembers the doors that would have a free slot without limits. */
  private findLimitedDoors(busy: readonly BusySpan[], taken: ReadonlyMap<string, readonly Span[]>): void {
    const full = findFullSpans(busy, this.request.capacity, this.request.replaces?.ownTime)
    for (const { doors, hours } of this.groups) {
      const open = subtractSpans(hours.open, full)
      for (const door of doors) {
        const start = this.findFirstStartBetween(open, taken.get(door.id) ?? NO_SPANS, this.parts)
        if (start !== null) this.limited.add(door)
      }
    }
  }

  *explainRefusals(): Search<DayRefusal[]> {
    const { day, groups } = this
    const { unsuitable } = this.selected
    const refusals: DayRefusal[] = []
    for (const { doors, hours } of groups) {
      const limited = doors.filter((door) => this.limited.has(door))
      const others = doors.filter((door) => !this.limited.has(door))
      if (others.length > 0) refusals.push({ day, doors: others, reason: this.findReason(hours) })
      if (limited.length > 0) refusals.push({ day, doors: limited, reason: 'limit' })
      yield null
    }
    if (unsuitable.length > 0) return [...refusals, { day, doors: unsuitable, reason: 'requirements' }]
    return refusals.length > 0 ? refusals : [{ day, doors: [], reason: 'closed' }]
  }

  private findReason(hours: OpeningHours): RefusalReason {
    if (isClosedOn(this.request.facility, this.day)) return 'closure'
    if (!hours.windows.some((window) => this.date.some((part) => isOverlapping(window, part)))) return 'closed'
    const { scheduled, open } = hours
    if (this.findFirstStartIn(scheduled, Number.NEGATIVE_INFINITY, this.date) === null) return 'too_long_for_window'
    if (this.findFirstStartIn(scheduled, Number.NEGATIVE_INFINITY) === null) return 'outside_window'
    if (this.findFirstStartIn(open, Number.NEGATIVE_INFINITY) === null) return 'blocked'
    return this.findFirstStartIn(open, this.request.notBefore) === null ? 'lead_time' : 'full'
  }

  /** The first start within `open` that does not overlap `taken`; both are merged. Walks the gaps without building a list of them. */
  private findFirstStartBetween(
    open: readonly Span[],
    taken: readonly Span[],
    parts: readonly DayPart[],
  ): number | null {
    for (const { from, to } of open) {
      let next = Math.max(from, this.request.notBefore)
      let index = findFirstEndingAfter(taken, next)
      while (next + this.lengthMs <= to) {
        const hole = taken[index]
        const end = hole === undefined ? to : Math.min(to, hole.from)
        if (next + this.lengthMs <= end) {
          const start = findFirstStart(parts, this.slotMs, next)
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

  /** The first start on this date at which the whole length is free. Only the first start within each gap needs to be tried. */
  private findFirstStartIn(free: readonly Span[], notBefore: number, parts = this.parts): number | null {
    for (const gap of free) {
      const start = findFirstStart(parts, this.slotMs, Math.max(gap.from, notBefore))
      if (start === null) return null
      if (start + this.lengthMs <= gap.to) return start
    }
    return null
  }

  private *listStartsIn(free: readonly Span[], parts: readonly DayPart[]): Generator<number> {
    for (const gap of free) {
      let start = findFirstStart(parts, this.slotMs, Math.max(gap.from, this.request.notBefore))
      while (start !== null && start + this.lengthMs <= gap.to) {
        yield start
        start = findFirstStart(parts, this.slotMs, start + 1)
      }
    }
  }
}

/** The parts without the instants at which the clock shows a time outside of the window. */
function listPartsWithin(parts: readonly DayPart[], window: ClockWindow): DayPart[] {
  return parts
    .map((part) => {
      const midnight = part.day * DAY_MS - part.offset
      const from = Math.max(part.from, midnight + window.from * MINUTE_MS)
      return { ...part, from, to: Math.min(part.to, midnight + window.to * MINUTE_MS + 1) }
    })
    .filter(({ from, to }) => from < to)
}

function subtractFromParts(parts: readonly DayPart[], holes: readonly Span[]): DayPart[] {
  return parts.flatMap((part) => subtractSpans([part], holes).map((span) => ({ ...part, ...span })))
}

function removeStarts(parts: readonly DayPart[], starts: readonly number[]): DayPart[] {
  return subtractFromParts(parts, mergeSpans(starts.map((at) => ({ from: at, to: at + 1 }))))
}

/** Whether the facility's clock shows a multiple of `slotMinutes` at the instant. */
export function isAlignedStart({ timeZone, slotMinutes }: FacilityRules, instant: number): boolean {
  const parts = listDayParts(timeZone, getLocalDay(timeZone, instant))
  return findFirstStart(parts, slotMinutes * MINUTE_MS, instant) === instant
}

/** The starts that the facility offers on a date, from an instant on. */
export function listAlignedStarts(
  { timeZone, slotMinutes }: Pick<FacilityRules, 'timeZone' | 'slotMinutes'>,
  day: DayNumber,
  notBefore: number,
): number[] {
  const parts = listDayParts(timeZone, day)
  const starts: number[] = []
  for (let next: number | null = notBefore; ; next = starts.at(-1)! + 1) {
    next = findFirstStart(parts, slotMinutes * MINUTE_MS, next)
    if (next === null) return starts
    starts.push(next)
  }
}

/**
 * The first instant at or after `notBefore` at which the date's wall clock shows a multiple of `slotMs` since 00:00.
 * Both passes of a repeated hour have such instants. Null if there are none left on the date.
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
