import { type ErrorDetail, hint, StudioError, suggest } from '../../kernel'
import { formatDate, formatDateWithWeekday, parseDate } from './calendar-date'
import type { DayRefusal } from './date-search'
import { type AppointmentStatus, type Facility, nameFacility } from './facility'

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
