import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import { formatDate } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { Reason } from '../../booking/schemas'
import { getLocalDay } from '../../rules/zoned-time'
import { CalendarDate } from '../../schemas'
import { writeAppointments } from '../../services/tenant-access'
import { SeriesAnswer, SeriesId } from '../schemas'
import { answerWithSeries, changeSeries, lockSeries } from '../services/series'

export const endSeries = operation({
  id: 'series.end',
  summary: 'End a series and cancel its later appointments',
  effect: 'write',
  access: { docks: 'clerk' },
  input: z.strictObject({
    id: SeriesId,
    lastDate: CalendarDate.optional().describe('The last date that stays booked; today by default'),
    reason: Reason,
  }),
  output: SeriesAnswer,
  errors: ['not_found'],
  http: { method: 'post', path: '/api/series/{id}/end', extension: true },
  cli: {
    command: 'series end',
    args: ['id'],
    argumentNames: { id: 'seriesId' },
    flags: { lastDate: { name: 'on', value: 'YYYY-MM-DD' } },
    examples: ['studio series end 3e0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --on 2027-06-30'],
    seeAlso: ['series get', 'series skip', 'series update'],
  },
  run(ctx: Context & StorageContext, { id, lastDate, reason }) {
    return writeAppointments(ctx, async (tx) => {
      const locked = await lockSeries(ctx, tx, id)
      const today = formatDate(getLocalDay(locked.facility.timeZone, ctx.clock.now()))
      const terms = { ...locked.series.terms, lastDate: lastDate ?? today }
      await changeSeries(ctx, tx, locked, { terms, reason: { facility: locked.facility, text: reason } })
      return answerWithSeries(ctx, tx, id, `Ends on ${terms.lastDate}`)
    })
  },
})
