export const SECOND_MS = 1_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** An instant as every interface writes it: ISO 8601 in UTC with milliseconds. */
export function formatInstant(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

/** Whole seconds from an instant in ISO 8601 to `now` in milliseconds; null without one. */
export function secondsSince(instant: string | null, now: number): number | null {
  return instant === null ? null : Math.max(0, Math.round((now - Date.parse(instant)) / SECOND_MS))
}

/** A calendar date as the number of days since 1970-01-01, so that dates can be compared and added. */
export type DayNumber = number

/** The day of an existing date `YYYY-MM-DD`. */
export function parseDate(date: string): DayNumber {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS
}

export function formatDate(day: DayNumber): string {
  return new Date(day * DAY_MS).toISOString().split('T')[0]!
}

/** Minutes since 00:00 of an `HH:MM`. */
export function parseTimeOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}
