import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { Reason } from '../../booking/schemas'
import { CalendarDate } from '../../schemas'
import { writeAppointments } from '../../services/tenant-access'
import { SeriesAnswer, SeriesId } from '../schemas'
import { answerWithSeries, lockSeries, skipOccurrence } from '../services/series'

export const skipSeriesDate = operation({
  id: 'series.skip',
  summary: 'Skip one date of a series',
  description: 'Cancels the appointment of the date, if it is booked. To book the date again later, use series move.',
  effect: 'write',
  access: { docks: 'clerk' },
  input: z.strictObject({
    id: SeriesId,
    date: CalendarDate.describe('A date of the series'),
    reason: Reason.describe(
      'Why, shown with the date: one of the reasons of the facility for cancellations, if it lists some',
    ),
  }),
  output: SeriesAnswer,
  errors: ['not_found', 'invalid_state'],
  http: { method: 'post', path: '/api/series/{id}/skip', extension: true },
  cli: {
    command: 'series skip',
    args: ['id', 'date'],
    argumentNames: { id: 'seriesId' },
    examples: ['studio series skip 3e0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 2027-03-09 --reason "Plant shutdown"'],
    seeAlso: ['series move', 'series get', 'series end'],
  },
  run(ctx: Context & StorageContext, { id, date, reason }) {
    return writeAppointments(ctx, async (tx) => {
      const locked = await lockSeries(ctx, tx, id)
      await skipOccurrence(ctx, tx, locked, { date, reason })
      return answerWithSeries(ctx, tx, id, `Left out ${date}`)
    })
  },
})
