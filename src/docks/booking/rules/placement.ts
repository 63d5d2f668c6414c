import { MINUTE_MS } from '../../../kernel/time'
import { type BookedSpan, conflictReasons, DoorRules } from '../../facilities/rules/conflicts'
import type { Door, FacilityRules } from '../../facilities/rules/facility'
import { findLimitedSpans, type Replacement } from './limits'
import { isAlignedStart, type Slot, type SlotRequest } from './slot-search'
import {
  type BusySpan,
  findFullSpans,
  getFacilityCapacity,
  groupByDoor,
  isOverlapping,
  type Span,
  widenSpan,
} from './spans'

export const placementReasons = [...conflictReasons, 'taken', 'unaligned', 'lead_time'] as const

/** Why an appointment cannot be placed at a chosen time and door. */
export type PlacementReason = (typeof placementReasons)[number]

export interface PlacementRefusal {
  doors: Door[]
  reason: PlacementReason
}

/** Checks places against the rules of a facility and the busy spans around them. */
export class PlacementCheck {
  readonly #rules: DoorRules
  readonly #facility: FacilityRules
  readonly #busy: readonly BusySpan[]
  readonly #taken: ReadonlyMap<string, readonly Span[]>
  readonly #full: readonly Span[]
  readonly #replaces: Replacement | undefined

  /** `busy` are those of the decisive span, without what the change gives up. */
  constructor(facility: FacilityRules, doors: readonly Door[], busy: readonly BusySpan[], replaces?: Replacement) {
    this.#rules = new DoorRules(facility, doors)
    this.#facility = facility
    this.#busy = busy
    this.#taken = groupByDoor(busy, 0)
    this.#full = findFullSpans(busy, getFacilityCapacity(facility, doors), replaces?.ownTime)
    this.#replaces = replaces
  }

  /** Null if an appointment fits there. Alignment and lead time are not checked: they apply to new starts only. */
  findReason(place: BookedSpan, options?: { isAdded: boolean }): PlacementReason | null {
    return this.#rules.findReason(place) ?? this.findRoomReason(place, options)
  }

  /** The same without regard to the hours and the door. The time that is added to a stay `isAdded`: limits of starts do not concern it. */
  findRoomReason(place: BookedSpan, options?: { isAdded: boolean }): PlacementReason | null {
    const around = widenSpan(place, this.#facility.bufferMinutes * MINUTE_MS)
    const near = this.#taken.get(place.doorId)?.filter((span) => isOverlapping(span, around)) ?? []
    if (near.some((span) => isOverlapping(span, place))) return 'taken'
    if (near.length > 0) return 'buffer'
    if (this.#full.some((span) => isOverlapping(span, place))) return 'capacity'
    return this.isLimited(place, options) ? 'limit' : null
  }

  /** Whether it would exceed a limit of the facility. */
  isLimited(place: BookedSpan, { isAdded } = { isAdded: false }): boolean {
    const { starts, moments } = findLimitedSpans(this.#facility, place, this.#busy, this.#replaces)
    return (
      moments.some((span) => isOverlapping(span, place)) ||
      (!isAdded && starts.some(({ from, to }) => from <= place.from && place.from < to))
    )
  }
}

/** The first of the doors that is free at the start, or why none is. */
export function placeAt(
  check: PlacementCheck,
  { facility, doors, load, minutes, notBefore }: Omit<SlotRequest, 'capacity' | 'firstDay' | 'lastDay' | 'window'>,
  startAt: number,
): { slot: Slot } | { slot: null; refusals: PlacementRefusal[] } {
  const candidates = [...doors].sort((a, b) => a.position - b.position)
  if (startAt < notBefore) return { slot: null, refusals: [{ doors: candidates, reason: 'lead_time' }] }
  if (!isAlignedStart(facility, startAt)) return { slot: null, refusals: [{ doors: candidates, reason: 'unaligned' }] }
  const span = { from: startAt, to: startAt + minutes * MINUTE_MS }
  const refused = new Map<PlacementReason, Door[]>()
  for (const door of candidates) {
    const reason = check.findReason({ ...load, ...span, doorId: door.id })
    if (reason === null) return { slot: { ...span, door } }
    const others = refused.get(reason)
    if (others) others.push(door)
    else refused.set(reason, [door])
  }
  return { slot: null, refusals: [...refused].map(([reason, doors]) => ({ doors, reason })) }
}

const MAX_ALTERNATIVES = 3

/** The free slots nearest to a start, at the preferred door if it is free. `starts` are those of `searchDay`. */
export function listNearestSlots(
  starts: ReadonlyMap<number, readonly Door[]>,
  { startAt, minutes, preferred }: { startAt: number; minutes: number; preferred: readonly Door[] },
): Slot[] {
  const wanted = new Set(preferred.map(({ id }) => id))
  return [...starts]
    .sort(([a], [b]) => Math.abs(a - startAt) - Math.abs(b - startAt) || a - b)
    .slice(0, MAX_ALTERNATIVES)
    .map(([from, doors]) => ({
      door: doors.find(({ id }) => wanted.has(id)) ?? doors[0]!,
      from,
      to: from + minutes * MINUTE_MS,
    }))
}
