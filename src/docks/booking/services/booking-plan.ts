import { type DayNumber, parseTimeOfDay } from '../../../kernel/time'
import type { Facility } from '../../facilities/rules/facility'
import { computeEarliestStart, type RequestedLength, requireFutureDay, resolveMinutes } from '../rules/booking-rules'
import { resolveStart } from '../rules/requested-slot'
import type { ClockWindow } from '../rules/slot-search'

/** The possible starts and the length of an appointment, before other appointments are considered. */
export interface BookingPlan {
  firstDay: DayNumber
  lastDay: DayNumber
  minutes: number
  /** No start before this instant. */
  notBefore: number
  /** The only accepted start; null for the earliest one. */
  startAt: number | null
  /** The hours of each date in which it may start; null for all. */
  window: ClockWindow | null
}

/** The fields of a request that say when the appointment may be. */
export interface RequestedTime {
  targetDate?: string | null
  startTime?: string | null
  notBefore?: string | null
  notAfter?: string | null
}

/** How many days after the target date a booking may roll over to. */
export const ROLLOVER_DAYS = 30

/** Throws `date_in_past`, and `invalid` for a length outside of the facility's limits. `notBefore` defaults to now. */
export function planBooking(
  facility: Facility,
  booking: RequestedTime & RequestedLength,
  { now, notBefore = now }: { now: number; notBefore?: number },
): BookingPlan {
  const starts = planStarts(facility, booking, now)
  const isRollover = facility.advanceToNextOpenDay && starts.startAt === null
  return {
    ...starts,
    lastDay: isRollover ? limitLastDay(facility, starts.firstDay + ROLLOVER_DAYS) : starts.firstDay,
    minutes: resolveMinutes(facility, booking),
    notBefore: Math.max(starts.notBefore, notBefore),
  }
}

/** The last day of a search, which may be earlier for a carrier. */
export function limitLastDay({ caller }: Facility, day: DayNumber): DayNumber {
  return Math.min(day, caller?.lastDay ?? day)
}

/** The possible starts on one date. Throws `date_in_past`, and `invalid` for a start that does not exist. */
export function planStarts(
  facility: Facility,
  { targetDate, startTime, notBefore, notAfter }: RequestedTime,
  now: number,
): Omit<BookingPlan, 'minutes'> {
  const { date, startAt } = resolveStart(facility.timeZone, { targetDate, startTime })
  const path = targetDate == null ? 'startTime' : 'targetDate'
  const firstDay = requireFutureDay(facility, { path, date }, now)
  const window =
    notBefore == null && notAfter == null
      ? null
      : { from: parseTimeOfDay(notBefore ?? '00:00'), to: parseTimeOfDay(notAfter ?? '24:00') }
  return { firstDay, lastDay: firstDay, notBefore: computeEarliestStart(facility, now), startAt, window }
}
