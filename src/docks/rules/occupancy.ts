import type { Door, FacilityRules } from './facility'
import { mergeSpans, type Span } from './spans'

/** The time for which an appointment holds its door. */
export interface BusySpan extends Span {
  doorId: string
}

/** How much a facility takes at one time. */
export interface FacilityCapacity {
  capacity: number
  /** The doors in use, by ID. */
  doors: ReadonlySet<string>
}

/**
 * A facility that names no capacity has as much as doors in use. What stands at a door that is not in use any more takes the
 * place of one that is: the truck comes all the same.
 */
export function facilityCapacity(
  { capacity }: Pick<FacilityRules, 'capacity'>,
  doors: readonly Door[],
): FacilityCapacity {
  const inUse = new Set(doors.filter(({ active }) => active).map(({ id }) => id))
  return { capacity: capacity ?? inUse.size, doors: inUse }
}

/** When nothing further is taken, whichever door is free. */
export function findFullSpans(busy: readonly BusySpan[], { capacity, doors }: FacilityCapacity): Span[] {
  // A door takes one at a time, so that no more than the doors in use are ever under way at them.
  const isBoundByDoors = doors.size <= capacity && busy.every(({ doorId }) => doors.has(doorId))
  return isBoundByDoors ? [] : findSaturatedSpans(busy, capacity)
}

/** What is taken a door, each sorted and merged. Quick where `busy` is by start, as it is read. */
export function groupByDoor(busy: readonly BusySpan[]): Map<string, Span[]> {
  const byDoor = new Map<string, Span[]>()
  const unsorted = new Set<string>()
  for (const { doorId, from, to } of busy) {
    const spans = byDoor.get(doorId)
    if (!spans) {
      byDoor.set(doorId, [{ from, to }])
      continue
    }
    const last = spans[spans.length - 1]!
    if (from > last.to) spans.push({ from, to })
    else if (from >= last.from) last.to = Math.max(last.to, to)
    else {
      spans.push({ from, to })
      unsorted.add(doorId)
    }
  }
  for (const doorId of unsorted) byDoor.set(doorId, mergeSpans(byDoor.get(doorId)!))
  return byDoor
}

/** When at least `capacity` appointments are under way at one time. */
export function findSaturatedSpans(busy: readonly Span[], capacity: number): Span[] {
  const changes = busy.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ])
  changes.sort((a, b) => a.at - b.at)
  const saturated: Span[] = []
  let count = 0
  for (const { at, by } of changes) {
    if (by > 0 && count + by === capacity) saturated.push({ from: at, to: at })
    if (by < 0 && count === capacity) saturated.at(-1)!.to = at
    count += by
  }
  return mergeSpans(saturated)
}
