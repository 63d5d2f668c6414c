import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { placeFields, Reason } from '../../booking/schemas'
import { bookingFlags } from '../../booking/services/booking-flags'
import { CalendarDate } from '../../schemas'
import { writeAppointments } from '../../services/tenant-access'
import { SeriesAnswer, SeriesId } from '../schemas'
import { answerWithSeries, lockSeries, moveOccurrence } from '../services/series'

const { startTime, doorId } = placeFields

export const moveSeriesDate = operation({
  id: 'series.move',
  summary: 'Move one date of a series to another slot',
  description:
    'Moves the appointment of the date. If the date has none, because it was refused, skipped or is too far ahead, books one. With only a target date, uses the first free slot of that date. With neither a date nor a start, uses the time of the series at any door.',
  effect: 'write',
  access: { docks: 'clerk' },
  input: z.strictObject({
    id: SeriesId,
    date: CalendarDate.describe('A date of the series'),
    targetDate: CalendarDate.nullish().describe('New date'),
    startTime,
    doorId,
    reason: Reason.describe(
      'Why the appointment is moved: one of the reasons of the facility, if it lists some. Not used for a date without an appointment',
    ),
  }),
  output: SeriesAnswer,
  errors: [
    'not_found',
    'invalid_state',
    'date_in_past',
    'slot_unavailable',
    'duplicate_reference',
    'facility_closed',
    'fully_booked',
    'no_slot',
  ],
  http: { method: 'post', path: '/api/series/{id}/move', extension: true },
  cli: {
    command: 'series move',
    args: ['id', 'date'],
    argumentNames: { id: 'seriesId' },
    flags: { ...bookingFlags, targetDate: { name: 'to', value: 'YYYY-MM-DD' } },
    examples: ['studio series move 3e0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 2027-03-09 --at 2027-03-10T14:00'],
    seeAlso: ['series skip', 'series get', 'facility conflicts'],
  },
  run(ctx: Context & StorageContext, { id, ...move }) {
    return writeAppointments(ctx, async (tx) => {
      const locked = await lockSeries(ctx, tx, id)
      await moveOccurrence(ctx, tx, locked, move)
      return answerWithSeries(ctx, tx, id, `Placed ${move.date}`)
    })
  },
})
