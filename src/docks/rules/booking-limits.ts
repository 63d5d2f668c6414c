import { inputError, StudioError } from '../../kernel'
import { MINUTE_MS } from '../../kernel/time'
import { type DayNumber, formatDate, parseDate } from './calendar-date'
import type { Facility, FacilityRules } from './facility'
import { dayAt } from './zoned-time'

type Limits = Pick<FacilityRules, 'minMinutes' | 'maxMinutes'>

/**
 * The length of an appointment in minutes. Asked for outright it must be within the facility's limits; worked out from the
 * pallets, as the interface's documents have it (2 minutes each and 20 more), it is held within them.
 */
export function resolveMinutes(
  facility: FacilityRules,
  asked: { durationMinutes?: number | null; palletCount?: number | null },
): number {
  if (asked.durationMinutes != null) return requireWithinLimits(facility, asked.durationMinutes)
  if (asked.palletCount == null) return facility.defaultMinutes
  return clampMinutes(facility, asked.palletCount * 2 + 20)
}

/** The nearest length that the facility takes. */
export function clampMinutes({ minMinutes, maxMinutes }: Limits, minutes: number): number {
  return Math.min(Math.max(minutes, minMinutes), maxMinutes)
}

/** The same minutes; throws `invalid` when the facility takes no appointment of that length. */
export function requireWithinLimits(
  { minMinutes, maxMinutes }: Limits,
  minutes: number,
  field = 'durationMinutes',
): number {
  if (minMinutes <= minutes && minutes <= maxMinutes) return minutes
  throw inputError([
    { path: field, message: `must be within ${minMinutes}..${maxMinutes} at this facility, not ${minutes}` },
  ])
}

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
