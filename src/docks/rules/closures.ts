import { type DayNumber, formatDate, parseDate } from './calendar-date'
import type { Closure } from './facility'

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
