import type { DayNumber } from './calendar-date'
import { DateSearch, type DayRefusal, type Slot } from './date-search'
import type { AppointmentType, Door, FacilityRules } from './facility'
import type { BusySpan, FacilityCapacity } from './occupancy'
import { groupDoorsByHours } from './opening-hours'
import type { Span } from './spans'

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
