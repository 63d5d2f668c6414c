import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { SeriesDetails, SeriesId } from '../schemas'
import { presentSeries, requireSeries } from '../services/series'

export const getSeries = operation({
  id: 'series.get',
  summary: 'Show a series and its dates',
  effect: 'read',
  access: { docks: 'viewer' },
  input: z.strictObject({ id: SeriesId }),
  output: SeriesDetails,
  errors: ['not_found'],
  http: { method: 'get', path: '/api/series/{id}', extension: true },
  cli: {
    command: 'series get',
    args: ['id'],
    argumentNames: { id: 'seriesId' },
    examples: ['studio series get 3e0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['series list', 'series move', 'series skip', 'series update'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.read(async (tx) => presentSeries(tx, await requireSeries(ctx, tx, id), ctx.clock.now()))
  },
})
