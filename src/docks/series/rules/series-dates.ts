import { type DayNumber, parseDate, parseTimeOfDay } from '../../../kernel/time'
import type { WaitingLoad } from '../../booking/rules/load-fields'
import type { AppointmentType, Facility, Weekday } from '../../facilities/rules/facility'
import { isClosedOn } from '../../facilities/rules/opening-hours'
import { getWeekday } from '../../rules/calendar-date'
import type { DateRange } from '../../rules/date-range'
import { findWindowStart } from '../../rules/zoned-time'

/** What happens to a date on which the facility is closed. */
export const holidayPolicies = ['skip', 'next-open-day'] as const
export type HolidayPolicy = (typeof holidayPolicies)[number]

/** What became of a date: an appointment, no appointment for a closure or on request, or no place. */
export const occurrenceOutcomes = ['booked', 'closed', 'skipped', 'refused'] as const
export type OccurrenceOutcome = (typeof occurrenceOutcomes)[number]

/** The agreement that a series repeats. Dates and times are those of the facility's calendar and clock. */
export interface SeriesTerms extends WaitingLoad {
  carrierName: string
  lane: string | null
  /** The reference of an appointment is this and its date. */
  referencePrefix: string
  type: AppointmentType
  days: Weekday[]
  /** 1 for every week, 2 for every other week, counted from the week of the first date. */
  everyWeeks: number
  startTime: string
  /** By the number of pallets, like that of a booking, if it is null. */
  durationMinutes: number | null
  /** The only accepted door; null for any. */
  doorId: string | null
  firstDate: string
  lastDate: string | null
  holidayPolicy: HolidayPolicy
  /** How many days ahead appointments are booked. */
  aheadDays: number
}

/** The dates of a series within a range. */
export function listSeriesDays(terms: SeriesTerms, { first, last }: DateRange): DayNumber[] {
  const begin = Math.max(first, parseDate(terms.firstDate))
  const end = terms.lastDate === null ? last : Math.min(last, parseDate(terms.lastDate))
  const days: DayNumber[] = []
  for (let day = begin; day <= end; day++) if (isInPattern(terms, day)) days.push(day)
  return days
}

/** Whether the series has an occurrence on the date. */
export function isSeriesDay(terms: SeriesTerms, day: DayNumber): boolean {
  return listSeriesDays(terms, { first: day, last: day }).length === 1
}

function isInPattern({ days, everyWeeks, firstDate }: SeriesTerms, day: DayNumber): boolean {
  const weeks = getWeek(day) - getWeek(parseDate(firstDate))
  return weeks % everyWeeks === 0 && days.includes(getWeekday(day))
}

/** How many days after a closed date the next open day may be. */
const MAX_DAYS_LATER = 14

/** The date on which the occurrence of `day` takes place; null if the facility is closed and the policy has no other date. */
export function findOpenDay(
  facility: Facility,
  { holidayPolicy, type }: SeriesTerms,
  day: DayNumber,
): DayNumber | null {
  const hasHours = (open: DayNumber) =>
    facility.queues.some(({ days, types }) => days.includes(getWeekday(open)) && (types?.includes(type) ?? true))
  const last = holidayPolicy === 'skip' ? day : day + MAX_DAYS_LATER
  for (let open = day; open <= last; open++) {
    if (!isClosedOn(facility, open) && (open === day || hasHours(open))) return open
  }
  return null
}

/** Its start on the clock of the facility: the earlier one if there are two, the first one after it if the clock skips it. */
export function findStartOn({ timeZone }: Facility, { startTime }: SeriesTerms, day: DayNumber): number {
  return findWindowStart(timeZone, day, parseTimeOfDay(startTime))
}

/** Weeks since the Monday before 1970-01-01, which was a Thursday. */
const getWeek = (day: DayNumber) => Math.floor((day + 3) / 7)
