import * as z from 'zod'
import { operation, orderedById } from '../../kernel'
import { listCachedItems } from '../queries'
import { toWorkItem } from '../rules/cached-item'
import { matchesFilter, toCriteria } from '../rules/item-filter'
import { WorkItem } from '../schemas'
import { loadFilterCriteria, resolveMe } from '../services/filters'
import type { WorkspaceContext } from '../services/workspace-context'

export const listItems = operation({
  id: 'items.list',
  summary: 'List cached work items, optionally filtered',
  description: 'An item must pass all filters. Does not call the tracker; fetchedAt is the age of each item.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({
    state: z.string().min(1).optional().describe('Only items in this state (any case)'),
    assignedTo: z
      .string()
      .min(1)
      .optional()
      .describe('Only items of this person, by name or account; @me is the configured user'),
    search: z.string().min(1).optional().describe('Only items whose ID or texts contain all these words'),
    filter: z
      .string()
      .min(1)
      .optional()
      .describe('A saved filter by ID or name, or "working"; other criteria override those of the filter'),
  }),
  output: z.array(WorkItem),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/helper/items', cacheable: () => true },
  listOrder: () => orderedById,
  cli: {
    command: 'item list',
    flags: { assignedTo: { about: 'Only items of this person, by name or account; @me is STUDIO_USER' } },
    examples: ['studio item list --state Active', 'studio item list --search dock --sort -changedAt --limit 5'],
    seeAlso: ['filter save', 'filter working', 'search', 'batch-update'],
  },
  async run(ctx: WorkspaceContext, { state, assignedTo, search, filter }) {
    const { items, base } = await ctx.db.read(async (tx) => ({
      items: await listCachedItems(tx),
      base: filter === undefined ? undefined : await loadFilterCriteria(tx, filter),
    }))
    const criteria = resolveMe(toCriteria({ state, assignedTo, search }, base), ctx.user)
    return items.filter((item) => matchesFilter(item, criteria)).map(toWorkItem)
  },
})
