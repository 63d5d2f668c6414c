import * as z from 'zod'
import { operation } from '../../../kernel'
import { ItemId, Reference, Worklog } from '../../schemas'
import { nameItems } from '../../services/name-items'
import { renameNotFound } from '../../services/read-for-change'
import { openTrackerPart } from '../../services/tracker-part'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const listWorklogs = operation({
  id: 'items.worklogs',
  summary: 'Show the time that people spent on a work item',
  description: 'The newest entries, the newest first.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({
    id: ItemId,
    count: z.int().min(1).max(1_000).default(20).describe('Number of newest entries to show'),
  }),
  output: z.object({ id: z.int(), reference: Reference, total: z.int(), worklogs: z.array(Worklog) }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'get', path: '/api/devops/items/{id}/worklogs', extension: true },
  cli: {
    command: 'item worklogs',
    args: ['id'],
    examples: ['studio item worklogs ABC-7'],
    seeAlso: ['item log-work', 'item get'],
  },
  async run(ctx: TrackerWorkspaceContext, { id, count }) {
    const { part } = await openTrackerPart(ctx, { ids: [id] }, 'worklogs')
    const found = await renameNotFound(id, part.list(id, { limit: count, signal: ctx.signal }))
    return { id, reference: (await nameItems(ctx, [id]))(id), ...found }
  },
})
