import { type DayNumber, MINUTE_MS } from './calendar-date'
import type { AppointmentType, Door, FacilityRules } from './facility'
import { type DayPart, partsOfDay } from './local-time'
import { type BusySpan, busyByDoor, saturatedSpans } from './occupancy'
import { type DoorGroup, doorGroups, isClosure, type OpeningHours, openingHours } from './opening-hours'
import { firstStart } from './slot-grid'
import { overlaps, type Span, subtractSpans } from './spans'

export interface SlotRequest {
  facility: FacilityRules
  doors: readonly Door[]
  type: AppointmentType
  minutes: number
  /** The first and the last date on which it may start. */
  firstDay: DayNumber
  lastDay: DayNumber
  /** No start before this instant. */
  notBefore: number
}

export interface Slot extends Span {
  door: Door
}

export type RefusalReason = 'closed' | 'closure' | 'full' | 'too_long_for_window' | 'lead_time'

/** Why a date gave no slot on doors that keep the same hours. */
export interface DayRefusal {
  day: DayNumber
  doors: Door[]
  reason: RefusalReason
}

export type SlotAnswer = { slot: Slot } | { slot: null; refusals: DayRefusal[] }

/**
 * The earliest free slot, day by day; at a tie the door's position decides. It yields the stretch of time of which it must
 * know what is taken, and is given that in return, so a date is read only when it is come to.
 */
export function* searchSlot(request: SlotRequest): Generator<Span, SlotAnswer, readonly BusySpan[]> {
  const groups = doorGroups(request.facility, request.doors, request.type)
  const refusals: DayRefusal[] = []
  for (let day = request.firstDay; day <= request.lastDay; day++) {
    const date = new DateSearch(request, groups, day)
    const slot = date.reach && date.earliest(yield date.reach)
    if (slot) return { slot }
    refusals.push(...date.refusals())
  }
  return { slot: null, refusals }
}

class DateSearch {
  /** Where something taken could matter; null when no start is possible even with all doors free. */
  readonly reach: Span | null
  private readonly lengthMs: number
  private readonly parts: DayPart[]
  private readonly groups: { group: DoorGroup; hours: OpeningHours }[]

  constructor(
    private readonly request: SlotRequest,
    groups: readonly DoorGroup[],
    private readonly day: DayNumber,
  ) {
    this.lengthMs = request.minutes * MINUTE_MS
    this.parts = partsOfDay(request.facility.timeZone, day)
    this.groups = groups.map((group) => ({ group, hours: openingHours(request.facility, group, day, this.lengthMs) }))
    const starts = this.groups
      .map(({ hours }) => this.startIn(hours.open, request.notBefore))
      .filter((at) => at !== null)
    this.reach = starts.length ? { from: Math.min(...starts), to: this.parts.at(-1)!.to + this.lengthMs } : null
  }

  earliest(busy: readonly BusySpan[]): Slot | null {
    const taken = busyByDoor(busy)
    const saturated = saturatedSpans(busy, this.request.facility.capacity)
    let best: Slot | null = null
    for (const { group, hours } of this.groups) {
      const open = subtractSpans(hours.open, saturated)
      for (const door of group.doors) {
        const free = subtractSpans(open, taken.get(door.id) ?? [])
        const from = this.startIn(free, this.request.notBefore)
        if (from === null) continue
        const wins = !best || from < best.from || (from === best.from && door.position < best.door.position)
        if (wins) best = { door, from, to: from + this.lengthMs }
      }
    }
    return best
  }

  refusals(): DayRefusal[] {
    if (this.groups.length === 0) return [{ day: this.day, doors: [], reason: 'closed' }]
    return this.groups.map(({ group, hours }) => ({ day: this.day, doors: group.doors, reason: this.reasonOf(hours) }))
  }

  private reasonOf(hours: OpeningHours): RefusalReason {
    if (isClosure(this.request.facility, this.day)) return 'closure'
    if (!hours.windows.some((window) => this.parts.some((part) => overlaps(window, part)))) return 'closed'
    if (this.startIn(hours.open, Number.NEGATIVE_INFINITY) === null) return 'too_long_for_window'
    return this.startIn(hours.open, this.request.notBefore) === null ? 'lead_time' : 'full'
  }

  /** The first start on this date at which the whole length is free. Within one gap only its first start need be tried. */
  private startIn(free: readonly Span[], notBefore: number): number | null {
    const slotMs = this.request.facility.slotMinutes * MINUTE_MS
    for (const gap of free) {
      const start = firstStart(this.parts, slotMs, Math.max(gap.from, notBefore))
      if (start === null) return null
      if (start + this.lengthMs <= gap.to) return start
    }
    return null
  }
}
