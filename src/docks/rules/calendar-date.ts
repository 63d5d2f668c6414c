import { DAY_MS } from '../../kernel/time'
import { type Weekday, weekdays } from './facility'

/** A calendar date as the count of days since 1970-01-01, so that dates are compared and added like numbers. */
export type DayNumber = number

/** The day of a `YYYY-MM-DD` that exists. */
export function parseDate(date: string): DayNumber {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS
}

export function formatDate(day: DayNumber): string {
  return new Date(day * DAY_MS).toISOString().split('T')[0]!
}

export function weekdayOf(day: DayNumber): Weekday {
  const thursdayFirst = 3
  return weekdays[(((day + thursdayFirst) % 7) + 7) % 7]!
}

const WEEKDAY_NAMES: Record<Weekday, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

/** In full and in English, as the messages have it: `2026-11-22 (Sunday)`. */
export function formatDateWithWeekday(day: DayNumber): string {
  return `${formatDate(day)} (${WEEKDAY_NAMES[weekdayOf(day)]})`
}

/** Minutes since 00:00 of an `HH:MM`. */
export function parseTimeOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}
