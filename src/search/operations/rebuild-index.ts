import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { IndexStats } from '../schemas'
import { type SearchContext, toStatsOutput } from '../services/search-index'

export const rebuildIndex = operation({
  id: 'search.reindex',
  summary: 'Rebuild the search index from the database',
  description:
    'Writes update the index, and the next search repairs one that is out of date or damaged, so you rarely need this command.',
  effect: 'mirror',
  access: 'workspace',
  isExpensive: true,
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
