import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { IndexStats } from '../schemas'
import { type SearchContext, toStatsOutput } from '../services/search-index'

export const indexStats = operation({
  id: 'search.stats',
  summary: 'Show the contents and age of the search index',
  description: 'If the index is out of date or damaged, it is repaired first.',
  effect: 'read',
  access: 'workspace',
  input: IndexStats.input,
  output: IndexStats.output,
  errors: [],
  http: { method: 'get', path: '/api/search/stats' },
  cli: { command: 'index stats', examples: ['studio index stats'], seeAlso: ['index rebuild', 'search'] },
  run: async (ctx: Context & StorageContext & SearchContext) => toStatsOutput(await ctx.search.stats(ctx)),
})
