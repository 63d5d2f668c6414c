import * as z from 'zod'
import { operation, StudioError } from '../../kernel'
import { equalsIgnoringCase } from '../../kernel/text/text'
import type { Tracker } from '../../tracker'
import { FoundItem, TrackerName } from '../schemas'
import { presentFound } from '../services/found-items'
import { readItems } from '../services/import/fetch-items'
import { openTrackerLink } from '../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

export const searchTracker = operation({
  id: 'items.search',
  summary: 'Search the tracker itself for work items',
  description:
    "Uses the tracker's own search, which also finds items that are not cached; if the tracker has no search, uses a query. A number is looked up as an ID. Saves nothing.",
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    query: z.string().trim().min(1).max(1000).describe('Words that must all be found, or an ID'),
    itemType: z.string().trim().min(1).optional().describe('Only work items of this type, such as Bug'),
    tracker: TrackerName.optional(),
    limit: z.int().min(1).max(200).default(20).describe('Maximum number of results'),
  }),
  output: z.object({
    query: z.string(),
    itemType: z.string().nullable(),
    total: z.int(),
    results: z.array(FoundItem),
    source: z
      .enum(['id', 'search', 'query'])
      .describe("Whether the results were found by ID, by the tracker's search or by a query"),
    partial: z.boolean().describe('Whether the tracker reported incomplete results'),
  }),
  errors: ['conflict', ...TRACKER_ERRORS],
  http: { method: 'post', path: '/api/devops/search' },
  cli: {
    command: 'item search',
    args: ['query...'],
    flags: { itemType: { name: 'type', value: 'name' } },
    toInput: ({ query, ...typed }) => ({
      ...typed,
      query: Array.isArray(query) ? query.join(' ') : query,
    }),
    examples: ['studio item search door', 'studio item search "time zone" --type Bug', 'studio item search 204'],
    seeAlso: ['search', 'item get', 'import'],
  },
  async run(ctx: TrackerWorkspaceContext, { query, itemType = null, tracker: name, limit }) {
    const { tracker, name: further } = await openTrackerLink(ctx, { name })
    ctx.progress({ label: 'searching the tracker' })
    const found = await lookUp(ctx, tracker, { query, itemType, limit })
    const { fetched } = await readItems(ctx, tracker, { ids: found.ids, label: 'reading the results' })
    const ofType = fetched.filter(({ item }) => itemType === null || equalsIgnoringCase(item.type, itemType))
    return {
      query,
      itemType,
      total: found.source === 'id' ? ofType.length : found.total,
      results: await presentFound(ctx, ofType, further),
      source: found.source,
      partial: found.partial,
    }
  },
})

interface LookupResult {
  ids: number[]
  total: number
  source: 'id' | 'search' | 'query'
  partial: boolean
}

async function lookUp(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { query, itemType, limit }: { query: string; itemType: string | null; limit: number },
): Promise<LookupResult> {
  const [, digits] = /^#?(\d{1,15})$/.exec(query) ?? []
  if (digits !== undefined) return { ids: [Number(digits)], total: 1, source: 'id', partial: false }
  if (query.includes('\u0000')) {
    throw new StudioError('invalid', 'query: must not contain the character U+0000', {
      details: [{ path: 'query', message: 'must not contain the character U+0000' }],
    })
  }
  return tracker.search({ text: query, itemType, limit }, ctx.signal)
}
