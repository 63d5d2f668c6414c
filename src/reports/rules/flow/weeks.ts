import { DAY_MS } from '../../../kernel/time'

const WEEK_MS = 7 * DAY_MS

/** A week of ISO 8601, Monday to Sunday in UTC. */
export interface Week {
  /** Its Monday, `2026-11-16`. */
  monday: string
  /** Half-open: a moment is in it from `from` on and before `to`. */
  from: string
  to: string
}

export function weekOf(moment: string): Week {
  const midnight = Math.floor(Date.parse(moment) / DAY_MS) * DAY_MS
  const sinceMonday = (new Date(midnight).getUTCDay() + 6) % 7
  return weekFrom(midnight - sinceMonday * DAY_MS)
}

function weekFrom(monday: number): Week {
  const from = new Date(monday).toISOString()
  return { monday: from.slice(0, 10), from, to: new Date(monday + WEEK_MS).toISOString() }
}

/** The weeks of both moments and all between them. */
export function weeksBetween(first: string, last: string): Week[] {
  const [start, end] = [Date.parse(weekOf(first).from), Date.parse(weekOf(last).from)]
  return Array.from({ length: (end - start) / WEEK_MS + 1 }, (_, n) => weekFrom(start + n * WEEK_MS))
}

export function weeksBefore(moment: string, count: number): string {
  return new Date(Date.parse(weekOf(moment).from) - count * WEEK_MS).toISOString()
}
