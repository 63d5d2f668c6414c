import * as z from 'zod'
import type { WorkspaceContext } from '../../items'
import { checkpoint, operation } from '../../kernel'
import type { Filter } from '../rules/filters'
import { MAX_QUERY_LENGTH, parseQuery } from '../rules/parse-query'
import { joinQueryArguments, suggestValue } from '../rules/qualifiers'
import { MAX_QUERY_PARTS } from '../rules/query-limits'
import { SearchWork } from '../rules/search-work'
import { EntityType, SearchResult } from '../schemas'
import { resolveCurrentIteration } from '../services/current-iteration'
import { findFieldNames, resolveFieldFilters } from '../services/field-filters'
import type { SearchContext, SearchIndex } from '../services/search-index'

type Needs = Omit<WorkspaceContext, 'sanitizeAlso'> & SearchContext

const RANGE = 'must be a whole number from 1 to 200'

export const searchWorkspace = operation({
  id: 'search.fast',
  summary: 'Search the cached work items, drafts and folders',
  description: [
    'Words are OR-ed and ranked: titles count most, then tags, acceptance criteria and descriptions; a title that begins with the query',
    'comes first, and an ID (`204`, `#204`, `bug 204`, the address of its page) before that. `"phrases"` must be found, `-words`, `NOT words`',
    'and `-"phrases"` must not. Qualifiers narrow the search: `state:Active`, `state:open`, `is:done`, `type:story`, `assignee:@me`,',
    '`tag:"two words"`, `area:`, `iteration:@current`, `priority:1`, `tracker:gh`, `id:204`, `in:title`, `no:assignee`, `no:Customer`, and any field of the tracker by its display name: `field:Customer=ACME`, `field:"Customer tier"!=Gold`, `field:Customer=` (empty), `field:Customer` (any value); a dash before one negates it. Qualifiers without words list all that match, newest first. A word that is found nowhere is treated as a typo. A word that occurs in only one entity also finds a frequent word that differs by one letter. The last',
    'word may be unfinished, unless a space follows it. Versions are found with and without `v`, and with their first numbers. An unknown',
    'qualifier is searched for as words, which `hints` says. `total` counts all that pass.',
  ].join(' '),
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    q: z
      .string()
      .max(MAX_QUERY_LENGTH)
      .refine((q) => q.trim() !== '', 'must not be empty')
      .describe(
        `Query: words, "phrases", -exclusions and qualifiers such as state:Active; at most ${MAX_QUERY_PARTS.words} different words and ${MAX_QUERY_PARTS.phrases} of each other kind`,
      ),
    limit: z.int(RANGE).min(1, RANGE).max(200, RANGE).default(20).describe('Maximum number of results'),
    type: EntityType.optional().describe('Only entities of this type'),
  }),
  output: z.object({
    query: z.string(),
    total: z.int().describe('How many entities pass, whatever the limit'),
    results: z.array(SearchResult),
    hints: z
      .array(z.string())
      .optional()
      .describe(
        'How the query was read, and what may be meant instead: where a qualifier is not known or nothing has its value',
      ),
    indexedAt: z
      .string()
      .optional()
      .describe(
        'Present only if the search index lags behind the data: when it was last updated; ISO 8601 UTC with milliseconds',
      ),
  }),
  errors: [],
  http: { method: 'get', path: '/api/search/fast' },
  cli: {
    command: 'search',
    args: ['q...'],
    argumentNames: { q: 'query' },
    dashWords: true,
    extraFlags: [{ flag: '--open', about: "Open the first hit's page in the tracker" }],
    notice: ({ indexedAt }) =>
      indexedAt ? `The search index is out of date. It was last updated at ${indexedAt}.` : null,
    toInput: ({ q, open: _, ...rest }) => ({ ...rest, ...(Array.isArray(q) && { q: joinQueryArguments(q) }) }),
    examples: [
      'studio search "dock door"',
      'studio search gate state:Active --limit 5',
      `studio search carrier '"free slot"' -report --type devops`,
    ],
    seeAlso: ['item list', 'draft list'],
  },
  async run(ctx: Needs, { q, limit, type }) {
    const parsed = await resolveCurrentIteration(ctx, parseQuery(q, ctx.user, await findFieldNames(ctx, q)))
    const { query, only } = await resolveFieldFilters(ctx, parsed, type)
    const index = await ctx.search.current(ctx)
    ctx.signal.throwIfAborted()
    const work = new SearchWork(() => checkpoint(ctx))
    const { total, hits } = await index.search(query, { limit, type: only, work })
    const hints = [...query.hints, ...(await suggestValues(query.filters, { total, index }))]
    const { indexedAt } = index
    return { query: q, total, results: hits, ...(hints.length > 0 && { hints }), ...(indexedAt && { indexedAt }) }
  },
})

/** Where nothing was found: for each filter whose value nothing has, what may be meant. */
export async function suggestValues(
  filters: readonly Filter[],
  { total, index }: { total: number; index: SearchIndex },
): Promise<string[]> {
  if (total > 0) return []
  const hints: string[] = []
  for (const filter of filters) {
    if (filter.negated || filter.value === null) continue
    if (hints.length === MAX_SUGGESTED_VALUES) break
    const found = await index.search({ ...NOTHING, filters: [filter] }, { limit: 1 })
    if (found.total === 0) hints.push(suggestValue(filter, await index.knownValues(filter.qualifier)))
  }
  return hints
}

/** Each suggestion reads all values of a qualifier. */
const MAX_SUGGESTED_VALUES = 5

const NOTHING = { words: [], phrases: [], excluded: [], fields: [], ids: [], inTitle: false, opening: [], hints: [] }
