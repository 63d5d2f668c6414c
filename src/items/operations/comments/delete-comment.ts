import * as z from 'zod'
import { compute, hint, operation, settlePlan, suggest } from '../../../kernel'
import { itemTasks } from '../../rules/tasks'
import { Comment, CommentId, ItemId, Reference } from '../../schemas'
import { findComment } from '../../services/comment-text'
import { nameItems } from '../../services/name-items'
import { createOutcomeError } from '../../services/outcome-errors'
import { openTrackerPart } from '../../services/tracker-part'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const deleteComment = operation({
  id: 'items.delete-comment',
  summary: 'Delete one of your own comments',
  description: 'A comment that was changed since it was read stays.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  input: z.strictObject({
    id: ItemId,
    commentId: CommentId,
    dryRun: z.boolean().default(false).describe('Delete nothing; show the comment'),
  }),
  output: z.object({
    dryRun: z.boolean(),
    id: z.int(),
    reference: Reference,
    comment: Comment.describe('As it was'),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'delete', path: '/api/devops/items/{id}/comments/{commentId}', extension: true },
  cli: {
    command: 'item delete-comment',
    args: ['id', 'commentId'],
    confirm: ({ dryRun, commentId }) => (dryRun ? null : `Delete comment ${commentId}?`),
    confirmDryRun: () => 'Delete this comment?',
    examples: ['studio item delete-comment 204 1 --dry-run'],
    seeAlso: ['item comments', 'item edit-comment'],
  },
  async run(ctx: TrackerWorkspaceContext, { id, commentId, dryRun }) {
    const { link, part } = await openTrackerPart(ctx, { ids: [id] }, 'commentEditing')
    const { tracker } = link
    const found = await findComment(ctx, tracker, { id, commentId })
    const was = found.text.text
    const [comment] = await compute(ctx, itemTasks.toComments, [found])
    const answer = { dryRun, id, reference: (await nameItems(ctx, [id]))(id), comment: comment! }
    settlePlan(ctx, { tracker: await tracker.resolveIdentity(ctx.signal), was })
    if (dryRun) return answer
    const outcome = await part.delete({ itemId: id, commentId, was }, ctx.signal)
    if (outcome.status === 'deleted') return answer
    throw createOutcomeError(outcome, {
      rejected: 'The tracker did not delete the comment.',
      unknown: 'It is not known whether the comment was deleted.',
      look: hint`Read the comments: ${suggest('items.comments', { id })}`,
    })
  },
})
