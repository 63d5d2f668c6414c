import * as z from 'zod'
import { operation, orderedById } from '../../kernel'
import { listCachedItems } from '../queries'
import { toWorkItem } from '../rules/cached-item'
import { overrideCriteria, toCriteria } from '../rules/filter-criteria'
import { matchesFilter } from '../rules/item-filter'
import { WorkItem } from '../schemas'
import { loadFilterCriteria, toItemFilter } from '../services/filters'
import type { WorkspaceContext } from '../services/workspace-context'

export const listItems = operation({
  id: 'items.list',
  summary: 'List the cached work items, filtered',
  description: 'Filters combine with AND. Nothing is asked of the tracker; fetchedAt says how old each item is.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({
    state: z.string().min(1).optional().describe('Only items in this state (any case)'),
    assignedTo: z
      .string()
      .min(1)
      .optional()
      .describe('Only items of this person, by name or account; @me is the configured user'),
    search: z.string().min(1).optional().describe('Only items whose ID or texts hold all these words'),
    filter: z
      .string()
      .min(1)
      .optional()
      .describe('A saved filter, by ID or name, or "working"; what is given beside it takes the place of its own'),
  }),
  output: z.array(WorkItem),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/helper/items' },
  listOrder: () => orderedById,
  cli: {
    command: 'item list',
    flags: { assignedTo: { about: 'Only items of this person, by name or account; @me is STUDIO_USER' } },
    examples: ['studio item list --state Active', 'studio item list --search dock --sort -changedAt --limit 5'],
    seeAlso: ['filter save', 'filter working', 'search', 'batch-update'],
  },
  async run(ctx: WorkspaceContext, { state, assignedTo, search, filter }) {
    const { items, kept } = await ctx.db.read(async (tx) => ({
      items: await listCachedItems(tx),
      kept: filter === undefined ? toCriteria({}) : await loadFilterCriteria(tx, filter),
    }))
    const wanted = toItemFilter(overrideCriteria(kept, { state, assignedTo, search }), ctx.user)
    return items.filter((item) => matchesFilter(item, wanted)).map(toWorkItem)
  },
})
