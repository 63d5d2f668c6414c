import { MINUTE_MS } from '../../kernel/time'
import { type BookedSpan, conflictReasons, DoorRules } from './conflicts'
import type { Door, FacilityRules } from './facility'
import { isAlignedStart, type Slot, type SlotRequest } from './slot-search'
import { type BusySpan, findFullSpans, getFacilityCapacity, groupByDoor, isOverlapping, type Span } from './spans'

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
  readonly #taken: ReadonlyMap<string, readonly Span[]>
  readonly #full: readonly Span[]

  constructor(facility: FacilityRules, doors: readonly Door[], busy: readonly BusySpan[]) {
    this.#rules = new DoorRules(facility, doors)
    this.#taken = groupByDoor(busy)
    this.#full = findFullSpans(busy, getFacilityCapacity(facility, doors))
  }

  /** Null if an appointment fits there. Alignment and lead time are not checked: they apply to new starts only. */
  findReason(place: BookedSpan): PlacementReason | null {
    const reason = this.#rules.findReason(place)
    if (reason !== null) return reason
    if (this.#taken.get(place.doorId)?.some((span) => isOverlapping(span, place))) return 'taken'
    return this.#full.some((span) => isOverlapping(span, place)) ? 'capacity' : null
  }
}

/** The first of the doors that is free at the start, or why none is. */
export function placeAt(
  check: PlacementCheck,
  {
    facility,
    doors,
    type,
    minutes,
    notBefore,
    requirements,
    equipmentHeight,
  }: Omit<SlotRequest, 'capacity' | 'firstDay' | 'lastDay' | 'window'>,
  startAt: number,
): { slot: Slot } | { slot: null; refusals: PlacementRefusal[] } {
  const candidates = [...doors].sort((a, b) => a.position - b.position)
  if (startAt < notBefore) return { slot: null, refusals: [{ doors: candidates, reason: 'lead_time' }] }
  if (!isAlignedStart(facility, startAt)) return { slot: null, refusals: [{ doors: candidates, reason: 'unaligned' }] }
  const span = { from: startAt, to: startAt + minutes * MINUTE_MS }
  const refused = new Map<PlacementReason, Door[]>()
  for (const door of candidates) {
    const reason = check.findReason({ ...span, doorId: door.id, type, requirements, equipmentHeight })
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
