import * as z from 'zod'
import { findIdsByFilter, type WorkspaceContext } from '../../items'
import { checkpoint, inputError, operation, StudioError } from '../../kernel'
import { MAX_QUERY_LENGTH, parseQuery } from '../rules/parse-query'
import { SearchWork } from '../rules/search-work'
import { resolveCurrentIteration } from '../services/current-iteration'
import { findFieldNames, resolveFieldFilters } from '../services/field-filters'
import type { SearchContext } from '../services/search-index'
import { suggestValues } from './search-workspace'

/** What one update can change. */
const MAX_ITEMS = 1_000

export const selectItems = operation({
  id: 'items.select',
  summary: 'Select cached work items for an update',
  description:
    'Returns the IDs of all items that a search query or a saved filter finds now. Preview an update of these IDs with dryRun, and send the same IDs.',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    query: z
      .string()
      .max(MAX_QUERY_LENGTH)
      .optional()
      .describe('As for search.fast: state:Active iteration:"Sprint 24"'),
    filter: z.string().min(1).optional().describe('A saved filter or view by ID or name, or "working"'),
    limit: z
      .int()
      .min(1)
      .max(20_000)
      .default(MAX_ITEMS)
      .describe('More items than these are refused; one update takes 1,000'),
  }),
  output: z.object({
    itemIds: z.array(z.int()),
    hints: z.array(z.string()).describe('What may be meant instead'),
  }),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/helper/item-ids', extension: true, example: { query: 'state:Active' } },
  async run(ctx: WorkspaceContext & SearchContext, { query, filter, limit }) {
    if ((query === undefined) === (filter === undefined))
      throw inputError([{ path: 'query', message: 'must be given, or a filter, but not both' }])
    const { ids, total, hints } =
      query === undefined ? await findByFilter(ctx, filter!) : await findByQuery(ctx, query, limit)
    if (total <= limit) return { itemIds: ids.toSorted((a, b) => a - b), hints }
    throw new StudioError(
      'invalid',
      `${total} work items were found. ${limit === MAX_ITEMS ? 'One update takes' : 'This call returns'} at most ${limit}.`,
      {
        hint: 'Narrow the selection, for example by iteration or type, and update in several steps.',
        details: [{ path: query === undefined ? 'filter' : 'query', message: `finds ${total} work items` }],
      },
    )
  },
})

interface Selection {
  ids: number[]
  total: number
  hints: string[]
}

async function findByFilter(ctx: WorkspaceContext, filter: string): Promise<Selection> {
  const ids = await findIdsByFilter(ctx, filter)
  return { ids, total: ids.length, hints: [] }
}

async function findByQuery(ctx: WorkspaceContext & SearchContext, text: string, limit: number): Promise<Selection> {
  if (text.trim() === '') throw inputError([{ path: 'query', message: 'must not be empty' }])
  const parsed = await resolveCurrentIteration(ctx, parseQuery(text, ctx.user, await findFieldNames(ctx, text)))
  const { query } = await resolveFieldFilters(ctx, parsed, 'devops')
  const index = await ctx.search.current(ctx)
  ctx.signal.throwIfAborted()
  const work = new SearchWork(() => checkpoint(ctx))
  const { total, hits } = await index.search(query, { limit, type: 'devops', withoutSnippets: true, work })
  const hints = [...query.hints, ...(await suggestValues(query.filters, { total, index }))]
  if (index.indexedAt) hints.push(`The search index is out of date. It was last updated at ${index.indexedAt}.`)
  return { ids: hits.map(({ id }) => id), total, hints }
}
