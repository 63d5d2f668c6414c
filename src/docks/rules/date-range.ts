import { inputError, type StudioError } from '../../kernel'
import { DAY_MS, type DayNumber, formatDate, MINUTE_MS, parseDate } from '../../kernel/time'
import type { Span } from '../booking/rules/spans'
import { findWindowEnd, findWindowStart, getLocalDay } from './zoned-time'

const MAX_DATES = 366
const MINUTES_PER_DAY = DAY_MS / MINUTE_MS

export interface DateRange {
  first: DayNumber
  last: DayNumber
}

/**
 * The dates that a list covers; null for all dates, if only a reference is given. The first date defaults to today at the facility, the
 * last date to the later of today and the first date, or with `daysAhead` to that many days after the first.
 */
export function resolveDateRange(
  requested: { startDate?: string; endDate?: string; referenceNumber?: string },
  today: DayNumber,
  daysAhead?: number,
): DateRange | null {
  const { startDate, endDate, referenceNumber } = requested
  if (referenceNumber !== undefined && startDate === undefined && endDate === undefined) return null
  const first = startDate === undefined ? today : parseDate(startDate)
  const latestByDefault = daysAhead === undefined ? Math.max(today, first) : first + daysAhead
  const last = endDate === undefined ? latestByDefault : parseDate(endDate)
  if (last < first) throw endDateError(`must not be before the first date, ${formatDate(first)}`)
  const latest = first + MAX_DATES - 1
  if (last > latest)
    throw endDateError(`must not be after ${formatDate(latest)}: a list covers at most ${MAX_DATES} dates`)
  return { first, last }
}

function endDateError(message: string): StudioError {
  return inputError([{ path: 'endDate', message }])
}

/** A span that contains every start on the dates. Where the clock is set back, it may contain a start on another date. */
export function getSpanOfDates(timeZone: string, { first, last }: DateRange): Span {
  return { from: findWindowStart(timeZone, first, 0), to: findWindowEnd(timeZone, last, MINUTES_PER_DAY) }
}

/** Whether the instant is on one of the dates. */
export function isStartWithin(timeZone: string, { first, last }: DateRange, startAt: number): boolean {
  const day = getLocalDay(timeZone, startAt)
  return first <= day && day <= last
}
