import { inputError, type StudioError } from '../../kernel'
import { DAY_MS, MINUTE_MS } from '../../kernel/time'
import { type DayNumber, formatDate, parseDate } from './calendar-date'
import type { Span } from './spans'
import { dayAt, windowEnd, windowStart } from './zoned-time'

const MAX_DATES = 366
const MINUTES_PER_DAY = DAY_MS / MINUTE_MS

export interface DateRange {
  first: DayNumber
  last: DayNumber
}

/**
 * The dates that a listing covers. A reference without dates is searched on all of them (null); otherwise the first is
 * today at the facility and the last the later of today and the first, where they are not given.
 */
export function resolveDateRange(
  asked: { startDate?: string; endDate?: string; referenceNumber?: string },
  today: DayNumber,
): DateRange | null {
  if (asked.referenceNumber !== undefined && asked.startDate === undefined && asked.endDate === undefined) return null
  const first = asked.startDate === undefined ? today : parseDate(asked.startDate)
  const last = asked.endDate === undefined ? Math.max(today, first) : parseDate(asked.endDate)
  if (last < first) throw endDateError(`must not be before the first date, ${formatDate(first)}`)
  const latest = first + MAX_DATES - 1
  if (last > latest)
    throw endDateError(`must not be after ${formatDate(latest)}: a listing covers at most ${MAX_DATES} dates`)
  return { first, last }
}

function endDateError(message: string): StudioError {
  return inputError([{ path: 'endDate', message }])
}

/** A stretch of time that holds every start on those dates, and now and then, where the clock is put back, one beside them. */
export function spanOfDates(timeZone: string, { first, last }: DateRange): Span {
  return { from: windowStart(timeZone, first, 0), to: windowEnd(timeZone, last, MINUTES_PER_DAY) }
}

/** Whether it starts on one of the dates. */
export function isStartWithin(timeZone: string, { first, last }: DateRange, startAt: number): boolean {
  const day = dayAt(timeZone, startAt)
  return first <= day && day <= last
}
