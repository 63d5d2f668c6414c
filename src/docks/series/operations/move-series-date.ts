import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { placeFields } from '../../booking/schemas'
import { bookingFlags } from '../../booking/services/booking-flags'
import { CalendarDate } from '../../schemas'
import { writeAppointments } from '../../services/tenant-access'
import { SeriesAnswer, SeriesId } from '../schemas'
import { answerWithSeries, lockSeries, moveOccurrence } from '../services/series'

const { startTime, doorId } = placeFields

export const moveSeriesDate = operation({
  id: 'series.move',
  summary: 'Place one date of a standing appointment elsewhere',
  description:
    'Moves its appointment, or books one for a date that has none: refused, left out, or not reached yet. With a target date alone it gets the first free slot of that date; without a date and a start, the time of the series at any door.',
  effect: 'write',
  access: 'tenant',
  input: z.strictObject({
    id: SeriesId,
    date: CalendarDate.describe('A date of the series'),
    targetDate: CalendarDate.nullish().describe('The date to which it moves'),
    startTime,
    doorId,
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
