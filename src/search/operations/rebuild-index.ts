import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { IndexStats } from '../schemas'
import type { SearchContext } from '../services/search-index-provider'
import { toStatsOutput } from '../stats-answer'

export const rebuildIndex = operation({
  id: 'search.reindex',
  summary: 'Make the search index anew from the database',
  description:
    'Every write keeps the index, and one that lags or is damaged is mended by the next search: this is for when you want to be sure.',
  effect: 'mirror',
  access: 'workspace',
  input: IndexStats.input,
  output: IndexStats.output.extend({ durationMs: z.int() }),
  errors: ['unavailable'],
  http: { method: 'post', path: '/api/search/reindex' },
  cli: { command: 'index rebuild', examples: ['studio index rebuild'], seeAlso: ['index stats', 'search'] },
  async run(ctx: Context & StorageContext & SearchContext) {
    const startedAt = ctx.clock.now()
    const stats = await ctx.search.rebuild(ctx)
    return { ...toStatsOutput(stats), durationMs: ctx.clock.now() - startedAt }
  },
})
