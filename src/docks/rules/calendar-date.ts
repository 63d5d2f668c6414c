import { DAY_MS } from '../../kernel/time'
import { type Closure, type Weekday, weekdays } from './facility'

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

/** The last date of a closure that has no end yet. */
export const UNTIL_FURTHER_NOTICE = '9999-12-31'

export interface DateSpan {
  from: string
  to: string
}

/** The closures with one more, by their first date; the same one again changes nothing. */
export function addClosure(closures: readonly Closure[], added: Closure): Closure[] {
  const isThere = closures.some(
    ({ from, to, reason }) => from === added.from && to === added.to && reason === added.reason,
  )
  return isThere ? [...closures] : [...closures, added].sort(compareFirstDates)
}

/** The closures with those dates open again: what reaches beyond them on either side stays closed. */
export function removeDates(closures: readonly Closure[], open: DateSpan): Closure[] {
  return closures.flatMap((closure) => {
    const before = { ...closure, to: minDate(closure.to, shiftDate(open.from, -1)) }
    const after = { ...closure, from: maxDate(closure.from, shiftDate(open.to, 1)) }
    return [before, after].filter(({ from, to }) => from <= to)
  })
}

/** Up to which date it stays closed without a gap, if it is closed on `day`; null where it is open. */
export function findClosedUntil(closures: readonly Closure[], day: DayNumber): string | null {
  let last: string | null = null
  for (let date = formatDate(day); ; date = shiftDate(last, 1)) {
    const ends = closures.filter(({ from, to }) => from <= date && date <= to).map(({ to }) => to)
    if (ends.length === 0) return last
    last = ends.reduce(maxDate)
  }
}

function shiftDate(date: string, days: number): string {
  return date === UNTIL_FURTHER_NOTICE && days > 0 ? '9999-99-99' : formatDate(parseDate(date) + days)
}

const minDate = (a: string, b: string) => (a < b ? a : b)
const maxDate = (a: string, b: string) => (a > b ? a : b)
const compareFirstDates = (a: Closure, b: Closure) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0)
