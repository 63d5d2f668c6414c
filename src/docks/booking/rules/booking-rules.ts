import { type ErrorDetail, hint, inputError, StudioError, suggest } from '../../../kernel'
import { type DayNumber, formatDate, formatInstant, MINUTE_MS, parseDate } from '../../../kernel/time'
import {
  type AppointmentStatus,
  type AppointmentType,
  type Facility,
  type FacilityRules,
  type LengthRule,
  nameFacility,
} from '../../facilities/rules/facility'
import { CLOSED_DATE, describeClosure, formatDateWithWeekday } from '../../rules/calendar-date'
import { formatLocalDateTime, getLocalDay } from '../../rules/zoned-time'
import type { RequestedLoad } from './load-fields'
import type { PlacementReason } from './placement'
import type { DayRefusal, Slot } from './slot-search'

type Limits = Pick<FacilityRules, 'minMinutes' | 'maxMinutes'>

export interface RequestedLength extends Pick<RequestedLoad, 'palletCount' | 'pieceCount' | 'requirements'> {
  type: AppointmentType
  durationMinutes?: number | null
}

/**
 * The length of an appointment in minutes. A requested length must be within the facility's limits. A length computed from the load, by
 * the facility's own rules or from the number of pallets (2 minutes each plus 20, as the API documents), is clamped to them.
 */
export function resolveMinutes(facility: FacilityRules, requested: RequestedLength): number {
  if (requested.durationMinutes != null) return requireWithinLimits(facility, requested.durationMinutes)
  const rule = facility.lengths.find((each) => isForLoad(each, requested))
  const { palletCount, pieceCount } = requested
  if (rule) {
    const { minutes, minutesPerPallet, minutesPerPiece } = rule
    const all = minutes + minutesPerPallet * (palletCount ?? 0) + minutesPerPiece * (pieceCount ?? 0)
    return clampMinutes(facility, Math.ceil(all))
  }
  return palletCount == null ? facility.defaultMinutes : clampMinutes(facility, palletCount * 2 + 20)
}

function isForLoad(rule: LengthRule, { type, palletCount, pieceCount, requirements }: RequestedLength): boolean {
  const isCountKnown = (count: number | null | undefined, max: number | null, each: number) =>
    count == null ? max === null && each === 0 : max === null || count <= max
  return (
    (rule.types === null || rule.types.includes(type)) &&
    rule.requirements.every((feature) => requirements?.includes(feature)) &&
    isCountKnown(palletCount, rule.maxPallets, rule.minutesPerPallet) &&
    isCountKnown(pieceCount, rule.maxPieces, rule.minutesPerPiece)
  )
}

/** The nearest length within the facility's limits. */
export function clampMinutes({ minMinutes, maxMinutes }: Limits, minutes: number): number {
  return Math.min(Math.max(minutes, minMinutes), maxMinutes)
}

/** Returns the minutes. Throws `invalid` if they are outside of the facility's limits. */
export function requireWithinLimits(
  { minMinutes, maxMinutes }: Limits,
  minutes: number,
  field = 'durationMinutes',
): number {
  if (minMinutes <= minutes && minutes <= maxMinutes) return minutes
  throw inputError([
    { path: field, message: `must be between ${minMinutes} and ${maxMinutes} at this facility, not ${minutes}` },
  ])
}

/** The day of a date. Throws, with the path of its field, `date_in_past` if it is over at the facility, and `invalid` if a carrier may not book it yet. */
export function requireFutureDay(
  facility: Facility,
  { path, date }: { path: string; date: string },
  now: number,
): DayNumber {
  const day = parseDate(date)
  const today = getLocalDay(facility.timeZone, now)
  if (day >= today) return requireWithinReach(facility, { path, day })
  const message = `${date} is in the past: it is ${formatDate(today)} at ${facility.code} (${facility.timeZone}).`
  throw new StudioError('date_in_past', message, {
    hint: `Choose ${formatDate(today)} or a later date.`,
    details: [{ path, message }],
  })
}

function requireWithinReach({ caller, code }: Facility, { path, day }: { path: string; day: DayNumber }): DayNumber {
  if (!caller || day <= caller.lastDay) return day
  const until = formatDate(caller.lastDay)
  throw inputError([
    { path, message: `must not be after ${until}, the last date that ${caller.name} may book at ${code}` },
  ])
}

/** The earliest instant at which a new appointment can start. */
export function computeEarliestStart(facility: FacilityRules, now: number): number {
  return now + facility.leadMinutes * MINUTE_MS
}

/** The requested date has no free slot. The API documents one message for closed and for full dates. */
export function dateUnavailableError(facility: Facility, refusals: readonly DayRefusal[]): StudioError {
  const isClosed = refusals.every(({ reason }) => reason === 'closed' || reason === 'closure')
  const message = `Facility is closed on ${formatDateWithWeekday(refusals[0]!.day)}.`
  return new StudioError(isClosed ? 'facility_closed' : 'fully_booked', message, {
    hint: isClosed
      ? hint`Choose another targetDate. Show the hours: ${suggest('facilities.get', { id: nameFacility(facility) })}`
      : hint`Choose another targetDate, or wait for a cancellation: ${suggest('waitlist.add')}. Show the hours: ${suggest('facilities.get', { id: nameFacility(facility) })}`,
    details: toErrorDetails(facility, refusals),
  })
}

/** No requested date has a free slot. */
export function noSlotError(facility: Facility, refusals: readonly DayRefusal[]): StudioError {
  const [first, last] = [refusals[0]!.day, refusals.at(-1)!.day]
  const dates =
    first === last ? `on ${formatDateWithWeekday(first)}` : `from ${formatDate(first)} to ${formatDate(last)}`
  return new StudioError('no_slot', `No free slot ${dates}.`, {
    hint: hint`Choose a later targetDate or a shorter durationMinutes, or wait for a cancellation: ${suggest('waitlist.add')}. Show the hours: ${suggest('facilities.get', { id: nameFacility(facility) })}`,
    details: toErrorDetails(facility, refusals),
  })
}

const UNSUITABLE = 'the door cannot take this load'
const LIMITED = 'a limit of the facility is reached'

export const REASON_TEXTS: Record<DayRefusal['reason'], string> = {
  closed: 'no operating hours on this date',
  closure: CLOSED_DATE,
  blocked: 'the time is blocked',
  full: 'all slots are taken',
  limit: LIMITED,
  too_long_for_window: 'no window is long enough',
  outside_window: 'no start within the requested hours',
  lead_time: 'too late to book for this date',
  requirements: UNSUITABLE,
}

/** Why a date has no free slot. A closure is named. */
export function describeRefusal(
  { closures }: FacilityRules,
  { day, reason }: Pick<DayRefusal, 'day' | 'reason'>,
): string {
  return reason === 'closure' ? describeClosure(closures, day) : REASON_TEXTS[reason]
}

/** Why an appointment cannot be at a chosen place. A closure is named. */
export function describePlacement(
  { closures }: FacilityRules,
  { day, reason }: { day: DayNumber; reason: PlacementReason },
): string {
  return reason === 'closure' ? describeClosure(closures, day) : PLACEMENT_TEXTS[reason]
}

/** A requested place is not possible. `what` says so; the reasons and the alternatives are in the details too. */
export function slotUnavailableError(
  facility: Facility,
  {
    what,
    path,
    startAt,
    refusals,
    alternatives,
  }: {
    what: string
    /** The field that cannot be satisfied. */
    path: string
    startAt: number
    refusals: readonly { doors: readonly { name: string }[]; reason: PlacementReason }[]
    alternatives: readonly Slot[]
  },
): StudioError {
  const { timeZone } = facility
  const date = getLocalDay(timeZone, startAt)
  const reasons = refusals.map(({ doors, reason }) => {
    const names = doors.map(({ name }) => name)
    const why = describePlacement(facility, { day: date, reason })
    return { path, message: `${formatDoorNames(names)}: ${why}`, doors: names, reason }
  })
  const free = alternatives.map(({ door, from, to }) => ({
    path,
    message: `${formatLocalDateTime(timeZone, from)} at ${door.name} is free`,
    alternative: {
      startTime: formatInstant(from),
      endTime: formatInstant(to),
      localStart: formatLocalDateTime(timeZone, from),
      doorId: door.id,
      doorName: door.name,
    },
  }))
  const day = { id: nameFacility(facility), date: formatDate(date) }
  const showDay = hint`Show the free slots of the date: ${suggest('facilities.availability', day)}`
  const message = `${what} (${timeZone}). ${reasons.map(({ message }) => message).join('; ')}.`
  return new StudioError('slot_unavailable', message, {
    hint: free.length > 0 ? hint`Choose one of the nearest free slots. ${showDay}` : showDay,
    details: [...reasons, ...free],
  })
}

export const PLACEMENT_TEXTS: Record<PlacementReason, string> = {
  door_removed: 'the door was removed',
  door_inactive: 'the door is not in use',
  door_type: 'the door does not accept this type',
  requirements: UNSUITABLE,
  closure: CLOSED_DATE,
  blocked: 'the time is blocked',
  outside_hours: 'outside of the operating hours',
  break: 'overlaps a break',
  capacity: 'the facility is full',
  buffer: 'too close to another appointment',
  limit: LIMITED,
  taken: 'another appointment is there',
  unaligned: 'not a start that the facility offers',
  lead_time: 'too late to book',
}

/** Explains a `fully_booked` error, whose documented message says that the facility is closed. Null for other errors. */
export function explainFullDay(error: StudioError): string | null {
  if (error.code !== 'fully_booked') return null
  const details = (error.details ?? []) as (ErrorDetail & { date: string; reason: DayRefusal['reason'] })[]
  const isFull = details.every(({ reason }) => reason === 'full')
  return isFull
    ? `Full on ${formatDateWithWeekday(parseDate(details[0]!.date))}.`
    : `${details.map(({ message }) => message).join('; ')}.`
}

/** Enough for a month at a facility whose doors have a dozen different hours. */
const MAX_LISTED_REFUSALS = 400
const MAX_LISTED_DOORS = 100

function toErrorDetails(facility: FacilityRules, refusals: readonly DayRefusal[]): ErrorDetail[] {
  return refusals.slice(0, MAX_LISTED_REFUSALS).map((refusal) => toErrorDetail(facility, refusal))
}

function toErrorDetail(facility: FacilityRules, { day, doors, reason }: DayRefusal): ErrorDetail {
  const names = doors.map((door) => door.name)
  const message = `${formatDateWithWeekday(day)}, ${formatDoorNames(names)}: ${describeRefusal(facility, { day, reason })}`
  return { path: 'targetDate', message, date: formatDate(day), doors: names.slice(0, MAX_LISTED_DOORS), reason }
}

const MAX_NAMED_DOORS = 4

/** All names if there are few; otherwise the first ones and the number of others. */
export function formatDoorNames(names: readonly string[]): string {
  if (names.length === 0) return 'no door accepts this type'
  if (names.length <= MAX_NAMED_DOORS) return names.join(', ')
  return `${names.slice(0, MAX_NAMED_DOORS - 1).join(', ')} and ${names.length - MAX_NAMED_DOORS + 1} more`
}

/** A facility has at most one scheduled appointment per reference. `existing` is shown to the caller; null if it must not see it. */
export function duplicateReferenceError(
  referenceNumber: string,
  existing: { id: string; startTime: string } | null,
): StudioError {
  const message = `An active scheduled appointment already exists for reference number ${referenceNumber}.`
  if (existing === null)
    return new StudioError('duplicate_reference', message, {
      hint: 'Another carrier already uses this reference. Choose a different one.',
    })
  return new StudioError('duplicate_reference', message, {
    hint: hint`Move it: ${suggest('appointments.reschedule', { id: existing.id, targetDate: '<YYYY-MM-DD>' })}; or cancel it: ${suggest('appointments.cancel', { id: existing.id })}`,
    details: [{ path: 'referenceNumber', message: `is booked for ${existing.startTime}`, appointment: existing }],
  })
}

/** Throws `invalid_state` unless the appointment has one of the allowed states. */
export function requireStatus(
  appointment: { id: string; status: AppointmentStatus },
  allowed: readonly AppointmentStatus[],
  verb: string,
): void {
  if (allowed.includes(appointment.status)) return
  throw new StudioError('invalid_state', `The appointment is ${appointment.status} and cannot be ${verb}.`, {
    hint: hint`Show it: ${suggest('appointments.get', { id: appointment.id })}`,
  })
}
