import * as z from 'zod'
import { compute, hint, longText, operation, settlePlan, suggest, uninterrupted } from '../../../kernel'
import { itemTasks } from '../../rules/tasks'
import { Comment, CommentId, ItemId, Reference } from '../../schemas'
import { findComment, prepareCommentText, refuseLocalImages } from '../../services/comment-text'
import { nameItems } from '../../services/name-items'
import { createOutcomeError } from '../../services/outcome-errors'
import { openTrackerPart } from '../../services/tracker-part'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const editComment = operation({
  id: 'items.edit-comment',
  summary: 'Replace the text of one of your own comments',
  description:
    'The text is Markdown, as in items.comment. A comment that was changed since it was read stays as it is.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  isExpensive: true,
  input: z.strictObject({
    id: ItemId,
    commentId: CommentId,
    text: longText().trim().min(1).describe('The new text, in Markdown'),
    dryRun: z.boolean().default(false).describe('Send nothing; show both texts'),
  }),
  output: z.object({
    dryRun: z.boolean(),
    id: z.int(),
    reference: Reference,
    comment: Comment.describe('As it is after the call; for a dry run, as it was'),
    text: z.string().describe('The text as it is sent, with mentions as links'),
    notes: z.array(z.string()),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: {
    method: 'put',
    path: '/api/devops/items/{id}/comments/{commentId}',
    extension: true,
    example: { id: 204, commentId: 1, text: 'The gate is open again.', dryRun: true },
  },
  cli: {
    command: 'item edit-comment',
    args: ['id', 'commentId', 'text'],
    texts: ['text'],
    flags: { text: { about: 'The new text in Markdown, @file for the text of a file, or - for standard input' } },
    confirm: () => null,
    confirmDryRun: () => 'Replace the comment?',
    examples: ['studio item edit-comment 204 1 "The gate is **open** again." --dry-run'],
    seeAlso: ['item comments', 'item comment', 'item delete-comment'],
  },
  async run(ctx: TrackerWorkspaceContext, { id, commentId, text, dryRun }) {
    refuseLocalImages(text)
    const { link, part } = await openTrackerPart(ctx, { ids: [id] }, 'commentEditing')
    const { tracker } = link
    const before = await findComment(ctx, tracker, { id, commentId })
    const { stored, shown, notes } = await prepareCommentText(ctx, tracker, { id, text })
    const answer = { dryRun, id, reference: (await nameItems(ctx, [id]))(id), text: shown, notes }
    const was = before.text.text
    settlePlan(ctx, { tracker: await tracker.resolveIdentity(ctx.signal), was, stored, notes })
    if (dryRun) return { ...answer, comment: (await compute(ctx, itemTasks.toComments, [before]))[0]! }
    const outcome = await part.edit({ itemId: id, commentId, was, text: stored }, ctx.signal)
    if (outcome.status === 'added') {
      const [comment] = await compute(uninterrupted(ctx), itemTasks.toComments, [outcome.comment])
      return { ...answer, comment: comment! }
    }
    throw createOutcomeError(outcome, {
      rejected: 'The tracker did not change the comment.',
      unknown: 'It is not known whether the comment was changed.',
      look: hint`Read the comments: ${suggest('items.comments', { id })}`,
    })
  },
})
