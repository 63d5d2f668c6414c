import { toDayNumber } from './record'

/** An iteration with its first and last day, `2026-11-16`. */
export interface IterationDates {
  first: string
  last: string
}

/** A shorter gap is a weekend. */
const MIN_GAP_DAYS = 3
/** A longer gap is a calendar that is not kept, not a holiday. */
const MAX_GAP_DAYS = 35

/** The days between two iterations that are in none, counted from 1970-01-01: no one works then. */
export function findDaysOff(iterations: readonly IterationDates[]): Set<number> {
  const known = iterations
    .map(({ first, last }): [number, number] => [toDayNumber(first), toDayNumber(last)])
    .filter(([first, last]) => first <= last)
    .sort(([a], [b]) => a - b)
  const off = new Set<number>()
  let end = known[0]?.[1] ?? 0
  for (const [first, last] of known) {
    const gap = first - end - 1
    if (gap >= MIN_GAP_DAYS && gap <= MAX_GAP_DAYS) for (let day = end + 1; day < first; day++) off.add(day)
    end = Math.max(end, last)
  }
  return off
}
