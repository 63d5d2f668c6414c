import * as z from 'zod'
import { loadRequest, shownWaiting } from '../booking/rules/load-schemas'
import { AppointmentStatus, bookingFields } from '../booking/schemas'
import { weekdays } from '../facilities/rules/facility'
import { Text } from '../rules/text'
import { AppointmentType, CalendarDate, Name, Success, TimeOfDay } from '../schemas'
import { holidayPolicies, occurrenceOutcomes } from './rules/series-dates'

export const SeriesId = z.guid().toLowerCase().describe('Series ID')

/** The fields of a series that its owner can change. */
export const seriesFields = {
  carrierName: bookingFields.carrierName,
  lane: Text.min(1).max(200).nullish().describe('Where the loads come from or go to, such as Dallas-Memphis'),
  days: z.array(z.enum(weekdays)).min(1).max(7).describe('Weekdays at the facility'),
  everyWeeks: z
    .int()
    .min(1)
    .max(8)
    .describe('1 for every week, 2 for every other week, counted from the week of the first date'),
  startTime: TimeOfDay.describe('Start on the clock of the facility, such as 09:00'),
  doorId: Name.nullish().describe('The only accepted door: its ID, or its name'),
  lastDate: CalendarDate.nullish().describe('The last date; without it the series does not end'),
  holidayPolicy: z.enum(holidayPolicies).describe('On a closed date: no appointment, or one on the next open day'),
  aheadDays: z.int().min(1).max(366).describe('How many days ahead appointments are booked'),
  durationMinutes: bookingFields.durationMinutes,
  ...loadRequest,
}

export const Series = z.object({
  id: z.string(),
  facilityId: z.string(),
  facilityCode: z.string(),
  timeZone: z.string(),
  type: AppointmentType,
  referencePrefix: z.string(),
  firstDate: z.string(),
  ...seriesFields,
  lane: z.string().nullable(),
  doorId: z.string().nullable(),
  lastDate: z.string().nullable(),
  durationMinutes: z.int().nullable(),
  ...shownWaiting,
})

/** A date of a series and its appointment as it is now. */
export const Occurrence = z.object({
  date: z.string(),
  outcome: z
    .enum(occurrenceOutcomes)
    .describe(
      'What became of the date: booked; closed: the facility is; skipped: on request; refused: there is no place, see reason',
    ),
  reason: z.string().nullable(),
  appointmentId: z.string().nullable(),
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
  doorName: z.string().nullable(),
  status: AppointmentStatus.nullable(),
})

export const SeriesDetails = Series.extend({
  occurrences: z.array(Occurrence).describe('The dates from today on that were booked or tried'),
})

export type SeriesDetails = z.output<typeof SeriesDetails>

export const SeriesAnswer = Success.extend({ data: SeriesDetails })
