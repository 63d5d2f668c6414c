import * as z from 'zod'
import { compute, operation } from '../../../kernel'
import { itemTasks } from '../../rules/tasks'
import { Comment, ItemId, Reference } from '../../schemas'
import { nameItems } from '../../services/name-items'
import { readComments } from '../../services/read-comments'
import { openTrackerLink } from '../../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const listComments = operation({
  id: 'items.comments',
  summary: 'Show the comments of a work item',
  description: 'Reads the newest comments from the tracker, as Markdown. The last one is the newest.',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    id: ItemId,
    count: z.int().min(1).max(1_000).default(20).describe('Number of newest comments to show'),
  }),
  output: z.object({
    id: z.int(),
    reference: Reference,
    total: z.int().describe('The number of all comments of the item'),
    comments: z.array(Comment),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'get', path: '/api/devops/items/{id}/comments', extension: true },
  cli: {
    command: 'item comments',
    args: ['id'],
    examples: ['studio item comments 204', 'studio item comments 204 --count 5 --json'],
    seeAlso: ['item comment', 'item get', 'item history'],
  },
  async run(ctx: TrackerWorkspaceContext, { id, count }) {
    const { tracker } = await openTrackerLink(ctx, { ids: [id] })
    ctx.progress({ label: 'reading the comments' })
    const { total, comments } = await readComments(ctx, tracker, { id, limit: count })
    const nameOf = await nameItems(ctx, [id])
    const shown = await compute(ctx, itemTasks.toComments, comments.reverse())
    return { id, reference: nameOf(id), total, comments: shown }
  },
})
