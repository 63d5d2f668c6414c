import { type DayNumber, MINUTE_MS } from '../../../kernel/time'
import type { DateRange } from '../../rules/date-range'
import { findWindowEnd, findWindowStart, getLocalDay, listDayParts } from '../../rules/zoned-time'
import { isOverlapping, type Span } from './spans'

/** What becomes of the appointments of cleared dates. */
export const clearPolicies = ['same-day', 'next-open-day', 'next-week', 'date', 'cancel'] as const
export type ClearPolicy = (typeof clearPolicies)[number]

const DAYS_PER_WEEK = 7

/**
 * The dates to which an appointment may move, in the order in which they are tried. None of them is cleared, so that clearing the same
 * dates again never moves an appointment twice.
 */
export function getTargetDates(
  policy: Exclude<ClearPolicy, 'same-day' | 'cancel'>,
  { day, cleared, today, date }: { day: DayNumber; cleared: DateRange; today: DayNumber; date: DayNumber | null },
  rolloverDays: number,
): DateRange {
  if (policy === 'date') return { first: date!, last: date! }
  const earliest = Math.max(cleared.last + 1, today)
  if (policy === 'next-open-day') return { first: earliest, last: earliest + rolloverDays }
  const weeks = Math.ceil((earliest - day) / DAYS_PER_WEEK)
  return { first: day + weeks * DAYS_PER_WEEK, last: day + weeks * DAYS_PER_WEEK }
}

/** Minutes since 00:00 on the facility's clock. */
export interface ClearedHours {
  from: number
  to: number
}

/** Whether an appointment overlaps the hours of the date on which it starts. */
export function isWithinHours(timeZone: string, { from, to }: ClearedHours, appointment: Span): boolean {
  const day = getLocalDay(timeZone, appointment.from)
  const hours = { from: findWindowStart(timeZone, day, from), to: findWindowEnd(timeZone, day, to) }
  return isOverlapping(hours, appointment)
}

/** The instant of the same local time on another date. */
export function getSameTimeOn(timeZone: string, day: DayNumber, instant: number): number {
  const part = listDayParts(timeZone, getLocalDay(timeZone, instant)).find(({ to }) => instant < to)!
  const minutes = Math.floor((instant + part.offset) / MINUTE_MS) % (24 * 60)
  return findWindowStart(timeZone, day, minutes)
}
