import type { Door, FacilityRules } from '../../facilities/rules/facility'
import type { CountedLoad } from './load'

/** A half-open span of time in epoch milliseconds: `from` is included, `to` is not. */
export interface Span {
  from: number
  to: number
}

/** Sorts the spans, merges those that overlap or touch, and removes empty ones. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const sorted = spans.filter((span) => span.from < span.to).sort((a, b) => a.from - b.from)
  const merged: Span[] = []
  for (const { from, to } of sorted) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

/** `spans` without `holes`; both must be merged. */
export function subtractSpans(spans: readonly Span[], holes: readonly Span[]): Span[] {
  const left: Span[] = []
  for (const span of spans) {
    let from = span.from
    for (let index = findFirstEndingAfter(holes, from); index < holes.length && holes[index]!.from < span.to; index++) {
      const hole = holes[index]!
      if (from < hole.from) left.push({ from, to: hole.from })
      from = hole.to
    }
    if (from < span.to) left.push({ from, to: span.to })
  }
  return left
}

export function isOverlapping(a: Span, b: Span): boolean {
  return a.from < b.to && b.from < a.to
}

export function containsSpan(outer: Span, inner: Span): boolean {
  return outer.from <= inner.from && inner.to <= outer.to
}

/** The span with as much time added at both ends. */
export function widenSpan<Widened extends Span>(span: Widened, by: number): Widened {
  return by === 0 ? span : { ...span, from: span.from - by, to: span.to + by }
}

/** The index of the first merged span that ends after `instant`, by binary search. */
export function findFirstEndingAfter(spans: readonly Span[], instant: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (spans[middle]!.to <= instant) low = middle + 1
    else high = middle
  }
  return low
}

/** The time for which an appointment occupies its door. */
/** What limits count is read only at a facility that has limits. */
export interface BusySpan extends Span, Partial<CountedLoad> {
  doorId: string
}

/** How many concurrent appointments a facility accepts. */
export interface FacilityCapacity {
  capacity: number
  /** The IDs of the active doors. */
  doors: ReadonlySet<string>
}

/**
 * The capacity of a facility defaults to the number of its active doors. An appointment at a door that is no longer active still counts,
 * because the truck will come.
 */
export function getFacilityCapacity(
  { capacity }: Pick<FacilityRules, 'capacity'>,
  doors: readonly Door[],
): FacilityCapacity {
  const active = new Set(doors.filter((door) => door.active).map(({ id }) => id))
  return { capacity: capacity ?? active.size, doors: active }
}

/** The spans in which no further appointment is possible, even at a free door. An appointment that is moved may keep its own time. */
export function findFullSpans(
  busy: readonly BusySpan[],
  { capacity, doors }: FacilityCapacity,
  ownTime: Span | null = null,
): Span[] {
  // A door has one appointment at a time, so the active doors never have more appointments than there are doors.
  const isBoundByDoors = doors.size <= capacity && busy.every(({ doorId }) => doors.has(doorId))
  if (isBoundByDoors) return []
  const full = findSaturatedSpans(busy, capacity)
  return ownTime === null ? full : subtractSpans(full, [ownTime])
}

/**
 * The spans of each door in which no appointment may be, sorted and merged: the busy spans with the buffer before and after them. Fastest
 * if `busy` is sorted by start.
 */
export function groupByDoor(busy: readonly BusySpan[], bufferMs: number): Map<string, Span[]> {
  const byDoor = new Map<string, Span[]>()
  const unsorted = new Set<string>()
  for (const busySpan of busy) {
    const { doorId } = busySpan
    const from = busySpan.from - bufferMs
    const to = busySpan.to + bufferMs
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

/** The spans in which at least `capacity` appointments are concurrent. */
export function findSaturatedSpans(busy: readonly Span[], capacity: number): Span[] {
  return findSpansAbove(busy, capacity - 1)
}

/** The spans in which the concurrent amounts exceed `room`, which is not negative. The amount is 1 by default. */
export function findSpansAbove(busy: readonly (Span & { amount?: number })[], room: number): Span[] {
  const changes = busy.flatMap(({ from, to, amount = 1 }) => [
    { at: from, by: amount },
    { at: to, by: -amount },
  ])
  changes.sort((a, b) => a.at - b.at)
  const above: Span[] = []
  let sum = 0
  for (const { at, by } of changes) {
    if (sum <= room && sum + by > room) above.push({ from: at, to: at })
    if (sum > room && sum + by <= room) above.at(-1)!.to = at
    sum += by
  }
  return mergeSpans(above)
}
