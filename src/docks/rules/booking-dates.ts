import { StudioError } from '../../kernel'
import { type DayNumber, formatDate, MINUTE_MS, parseDate } from './calendar-date'
import type { Facility, FacilityRules } from './facility'
import { dayAt } from './local-time'

/** How many dates after the target a booking may move on to. */
const ROLLOVER_DAYS = 30

/** The target's day. Throws `date_in_past` when the date is over at the facility. */
export function requireTargetDay(facility: Facility, targetDate: string, now: number): DayNumber {
  return requireFutureDay(facility, { path: 'targetDate', date: targetDate }, now)
}

/** The day of a date; the refusal names the field that it came in. */
export function requireFutureDay(
  facility: Facility,
  { path, date }: { path: string; date: string },
  now: number,
): DayNumber {
  const day = parseDate(date)
  const today = dayAt(facility.timeZone, now)
  if (day >= today) return day
  const message = `${date} is in the past: it is ${formatDate(today)} at ${facility.code} (${facility.timeZone}).`
  throw new StudioError('date_in_past', message, {
    hint: `Ask for ${formatDate(today)} or a later date.`,
    details: [{ path, message }],
  })
}

/** The last date that a booking may move on to. */
export function lastRolloverDay(facility: FacilityRules, target: DayNumber): DayNumber {
  return facility.advanceToNextOpenDay ? target + ROLLOVER_DAYS : target
}

/** The instant before which nothing can start. */
export function earliestStart(facility: FacilityRules, now: number): number {
  return now + facility.leadMinutes * MINUTE_MS
}
