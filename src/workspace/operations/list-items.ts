import * as z from 'zod'
import { operation, StudioError } from '../../kernel'
import type { WorkspaceContext } from '../context'
import { listCachedItems } from '../queries'
import { matchesFilter } from '../rules/item-filter'
import { workItemOf } from '../rules/work-item'
import { WorkItem } from '../schemas'

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
      .describe('Only items of this person, by name or account; @me is STUDIO_USER'),
    search: z.string().min(1).optional().describe('Only items whose ID, title or tags hold all these words'),
  }),
  output: z.array(WorkItem),
  errors: [],
  http: { method: 'get', path: '/api/helper/items' },
  cli: {
    command: 'item list',
    examples: ['studio item list --state Active', 'studio item list --search dock --sort -changedAt --limit 5'],
    seeAlso: ['search', 'import', 'batch-update'],
  },
  async run(ctx: WorkspaceContext, { state, assignedTo, search }) {
    const person = assignedTo === '@me' ? me(ctx.user) : assignedTo
    const items = await ctx.db.read(listCachedItems)
    return items.filter((item) => matchesFilter(item, { state, assignedTo: person, search })).map(workItemOf)
  },
})

function me(user: string | null): string {
  if (user !== null) return user
  throw new StudioError('invalid', 'Nobody has said who @me is.', {
    hint: 'Set STUDIO_USER to your name or account in the tracker.',
    details: [{ path: 'assignedTo', message: '@me needs STUDIO_USER' }],
  })
}
