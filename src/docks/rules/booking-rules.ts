import { type ErrorDetail, hint, inputError, StudioError, suggest } from '../../kernel'
import { MINUTE_MS } from '../../kernel/time'
import { type DayNumber, formatDate, formatDateWithWeekday, parseDate } from './calendar-date'
import { type AppointmentStatus, type Facility, type FacilityRules, nameFacility } from './facility'
import type { DayRefusal } from './slot-search'
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

/** The one date that was asked for has no slot. The message is the documents', whether it is closed or full. */
export function dateUnavailableError(facility: Facility, refusals: readonly DayRefusal[]): StudioError {
  const closed = refusals.every(({ reason }) => reason === 'closed' || reason === 'closure')
  const message = `Facility is closed on ${formatDateWithWeekday(refusals[0]!.day)}.`
  return new StudioError(closed ? 'facility_closed' : 'fully_booked', message, {
    hint: hint`Ask for another targetDate. See the hours: ${suggest('facilities.get', { id: nameFacility(facility) })}`,
    details: refusals.map(toErrorDetail),
  })
}

/** No date up to the last one that may be tried has a slot. */
export function noSlotError(facility: Facility, refusals: readonly DayRefusal[]): StudioError {
  const [first, last] = [refusals[0]!.day, refusals.at(-1)!.day]
  return new StudioError('no_slot', `No free slot from ${formatDate(first)} to ${formatDate(last)}.`, {
    hint: hint`Ask for a later targetDate or a shorter durationMinutes. See the hours: ${suggest('facilities.get', { id: nameFacility(facility) })}`,
    details: refusals.map(toErrorDetail),
  })
}

export const REASON_TEXTS: Record<DayRefusal['reason'], string> = {
  closed: 'no operating hours on this date',
  closure: 'closed for a closure',
  full: 'all slots are taken',
  too_long_for_window: 'no window is long enough',
  lead_time: 'too late to book for this date',
}

/** Why a date has no slot, where the message of the refusal says closed although the facility is open: the documents say so. */
export function explainFullDay(error: StudioError): string | null {
  if (error.code !== 'fully_booked') return null
  const details = (error.details ?? []) as (ErrorDetail & { date: string; reason: DayRefusal['reason'] })[]
  const isFull = details.every(({ reason }) => reason === 'full')
  return isFull
    ? `Full on ${formatDateWithWeekday(parseDate(details[0]!.date))}.`
    : `${details.map(({ message }) => message).join('; ')}.`
}

function toErrorDetail({ day, doors, reason }: DayRefusal): ErrorDetail {
  const names = doors.map((door) => door.name)
  const message = `${formatDateWithWeekday(day)}, ${formatDoorNames(names)}: ${REASON_TEXTS[reason]}`
  return { path: 'targetDate', message, date: formatDate(day), doors: names, reason }
}

const MAX_NAMED_DOORS = 4

/** A few by name; of many the first, and how many more. */
export function formatDoorNames(names: readonly string[]): string {
  if (names.length === 0) return 'no door takes this type'
  if (names.length <= MAX_NAMED_DOORS) return names.join(', ')
  return `${names.slice(0, MAX_NAMED_DOORS - 1).join(', ')} and ${names.length - MAX_NAMED_DOORS + 1} more`
}

/** A reference may stand once among the scheduled appointments of a facility. `standing` is shown to the caller. */
export function duplicateReferenceError(
  referenceNumber: string,
  standing: { id: string; startTime: string },
): StudioError {
  return new StudioError(
    'duplicate_reference',
    `An active scheduled appointment already exists for reference number ${referenceNumber}.`,
    {
      hint: hint`Move it: ${suggest('appointments.reschedule', { id: standing.id, targetDate: '<YYYY-MM-DD>' })}; or cancel it: ${suggest('appointments.cancel', { id: standing.id })}`,
      details: [{ path: 'referenceNumber', message: `is booked for ${standing.startTime}`, appointment: standing }],
    },
  )
}

/** Throws `invalid_state` unless the appointment is in one of the states that the call allows. */
export function requireStatus(
  appointment: { id: string; status: AppointmentStatus },
  allowed: readonly AppointmentStatus[],
  verb: string,
): void {
  if (allowed.includes(appointment.status)) return
  throw new StudioError('invalid_state', `The appointment is ${appointment.status} and cannot be ${verb}.`, {
    hint: hint`See: ${suggest('appointments.get', { id: appointment.id })}`,
  })
}
