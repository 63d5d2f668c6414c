import { type DayNumber, formatDate, parseDate } from '../../kernel/time'
import { type Closure, type Weekday, weekdays } from '../facilities/rules/facility'

export function getWeekday(day: DayNumber): Weekday {
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

/** `2026-11-22 (Sunday)` */
export function formatDateWithWeekday(day: DayNumber): string {
  return `${formatDate(day)} (${WEEKDAY_NAMES[getWeekday(day)]})`
}

/** The last date of a closure without an end. */
export const UNTIL_FURTHER_NOTICE = '9999-12-31'

export interface DateSpan {
  from: string
  to: string
}

/** Why a date is closed: `closed for Thanksgiving`, or `closed until reopened`. */
export function describeClosure(closures: readonly Closure[], day: DayNumber): string {
  const date = formatDate(day)
  const current = closures.filter(({ from, to }) => from <= date && date <= to)
  const reason = current.find((closure) => closure.reason)?.reason
  if (reason) return `closed for ${reason}`
  return current.some(({ to }) => to === UNTIL_FURTHER_NOTICE) ? 'closed until reopened' : CLOSED_DATE
}

/** For a closure whose reason is unknown. */
export const CLOSED_DATE = 'closed on this date'

/** The closures and one more, by first date. Adding an existing closure changes nothing. */
export function addClosure(closures: readonly Closure[], added: Closure): Closure[] {
  const exists = closures.some(
    ({ from, to, reason }) => from === added.from && to === added.to && reason === added.reason,
  )
  return exists ? [...closures] : [...closures, added].sort(compareFirstDates)
}

/** The closures without the dates `open`. The parts before and after them stay closed. */
export function removeDates(closures: readonly Closure[], open: DateSpan): Closure[] {
  return closures.flatMap((closure) => {
    const before = { ...closure, to: getEarlierDate(closure.to, shiftDate(open.from, -1)) }
    const after = { ...closure, from: getLaterDate(closure.from, shiftDate(open.to, 1)) }
    return [before, after].filter(({ from, to }) => from <= to)
  })
}

/** The last date of the continuous closure that includes `day`; null if the facility is open on it. */
export function findClosedUntil(closures: readonly Closure[], day: DayNumber): string | null {
  let last: string | null = null
  for (let date = formatDate(day); ; date = shiftDate(last, 1)) {
    const ends = closures.filter(({ from, to }) => from <= date && date <= to).map(({ to }) => to)
    if (ends.length === 0) return last
    last = ends.reduce(getLaterDate)
  }
}

function shiftDate(date: string, days: number): string {
  return date === UNTIL_FURTHER_NOTICE && days > 0 ? '9999-99-99' : formatDate(parseDate(date) + days)
}

const getEarlierDate = (a: string, b: string) => (a < b ? a : b)
const getLaterDate = (a: string, b: string) => (a > b ? a : b)
const compareFirstDates = (a: Closure, b: Closure) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0)
