import * as z from 'zod'
import { type Context, inputError, operation } from '../../../kernel'
import { toRemovals } from '../../../kernel/json'
import type { StorageContext } from '../../../storage'
import { resolveMinutes } from '../../booking/rules/booking-rules'
import { Reason } from '../../booking/schemas'
import { loadChangeFlags } from '../../booking/services/booking-flags'
import { findRequestedDoors } from '../../booking/services/find-place'
import { resolveCustomValues } from '../../facilities/rules/custom-fields'
import { seriesFlags } from '../../facilities/services/facility-options'
import { findDoors } from '../../queries'
import { writeAppointments } from '../../services/tenant-access'
import type { SeriesTerms } from '../rules/series-dates'
import { SeriesAnswer, SeriesId, seriesFields } from '../schemas'
import { answerWithSeries, changeSeries, lockSeries } from '../services/series'

export const updateSeries = operation({
  id: 'series.update',
  summary: 'Change a series and its booked appointments',
  description:
    'Appointments that have not begun change too, and those on dates that are no longer in the series are cancelled. An appointment whose new slot is taken keeps its slot, and the reason is recorded. An appointment that was moved individually stays where it is. In a request, null removes a value; on the command line, "" does.',
  effect: 'write',
  access: { docks: 'clerk' },
  input: z.strictObject({ id: SeriesId, ...z.object(seriesFields).partial().shape, reason: Reason }),
  output: SeriesAnswer,
  errors: ['not_found'],
  http: { method: 'patch', path: '/api/series/{id}', extension: true },
  cli: {
    command: 'series update',
    args: ['id'],
    argumentNames: { id: 'seriesId' },
    flags: { ...seriesFlags, ...loadChangeFlags },
    toInput: toRemovals,
    examples: ['studio series update 3e0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --at 10:30 --days tue fri'],
    seeAlso: ['series get', 'series move', 'series end'],
  },
  run(ctx: Context & StorageContext, { id, reason, ...input }) {
    return writeAppointments(ctx, async (tx) => {
      const locked = await lockSeries(ctx, tx, id)
      const { facility, series } = locked
      const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
      const { customFields, siteFields } = series.terms
      const before = { customFields: customFields ?? {}, siteFields: siteFields ?? {} }
      const values = resolveCustomValues(facility, { ...input, type: series.terms.type }, before)
      const terms: SeriesTerms = { ...series.terms, ...given, ...values }
      if (terms.lastDate !== null && terms.lastDate < terms.firstDate)
        throw inputError([{ path: 'lastDate', message: `must not be before the first date, ${terms.firstDate}` }])
      resolveMinutes(facility, terms)
      if (input.doorId != null) {
        terms.doorId = findRequestedDoors({ facility, doors: await findDoors(tx, facility.id) }, input.doorId)[0]!.id
      }
      await changeSeries(ctx, tx, locked, { terms, reason: { facility, text: reason } })
      return answerWithSeries(ctx, tx, id, 'Changed')
    })
  },
})
