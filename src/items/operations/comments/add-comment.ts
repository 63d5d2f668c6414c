import * as z from 'zod'
import { compute, hint, longText, operation, settlePlan, suggest, uninterrupted } from '../../../kernel'
import { toArgument } from '../../../kernel/text/item-reference'
import { itemTasks } from '../../rules/tasks'
import { Comment, ItemId, PlannedUploads, Reference } from '../../schemas'
import {
  IMAGES_OF_TEXTS,
  ImageFiles,
  MAX_IMAGE_BODY_BYTES,
  readImageFiles,
} from '../../services/attachments/image-files'
import { TextImages } from '../../services/attachments/text-images'
import { prepareCommentText, refuseLocalImages } from '../../services/comment-text'
import { nameItems } from '../../services/name-items'
import { createOutcomeError } from '../../services/outcome-errors'
import { readComments } from '../../services/read-comments'
import { openTrackerLink } from '../../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const addComment = operation({
  id: 'items.comment',
  summary: 'Add a comment to a work item',
  description:
    'The text is Markdown. The name of a known person after an at sign becomes a mention: @Jane Doe. If the response of the tracker is lost, its comments are read before anything is sent again.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  isExpensive: true,
  input: z.strictObject({
    id: ItemId,
    text: longText().trim().min(1).describe('The comment, in Markdown'),
    files: ImageFiles.optional().describe(IMAGES_OF_TEXTS),
    dryRun: z.boolean().default(false).describe('Send nothing; show the comment as it would be sent'),
  }),
  output: z.object({
    dryRun: z.boolean(),
    id: z.int(),
    reference: Reference,
    comment: Comment.nullable().describe('Null for a dry run'),
    text: z.string().describe('The text as it is sent, with mentions as links'),
    uploads: PlannedUploads,
    notes: z.array(z.string()),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: {
    method: 'post',
    path: '/api/devops/items/{id}/comments',
    extension: true,
    maxBodyBytes: MAX_IMAGE_BODY_BYTES,
    example: { id: 204, text: 'The gate is open again.', dryRun: true },
  },
  cli: {
    command: 'item comment',
    args: ['id', 'text'],
    texts: ['text'],
    flags: {
      text: { about: 'The comment in Markdown, @file for the text of a file, or - for standard input' },
      files: false,
    },
    // A script names the one item, so only a person is asked.
    confirm: () => null,
    confirmDryRun: (preview) =>
      `Add this comment to work item ${toArgument((preview as { reference: string }).reference)}?`,
    examples: ['studio item comment 204 "The gate is **open** again." --dry-run', 'studio item comment 204 Done --yes'],
    seeAlso: ['item comments', 'item get', 'batch-update'],
  },
  async run(ctx: TrackerWorkspaceContext, { id, text: written, files = [], dryRun }) {
    const images = await TextImages.load(ctx, { itemId: id, texts: [written], files: await readImageFiles(ctx, files) })
    const text = images.withAddresses(written)
    refuseLocalImages(text)
    const link = await openTrackerLink(ctx, { ids: [id] })
    const { tracker } = link
    images.requireAccepted(tracker)
    const newest = await readComments(ctx, tracker, { id, limit: 1 })
    const { stored, shown, notes } = await prepareCommentText(ctx, tracker, { id, text })
    const answer = {
      dryRun,
      id,
      reference: (await nameItems(ctx, [id]))(id),
      text: images.show(shown),
      uploads: images.list(),
      notes,
    }
    settlePlan(ctx, { tracker: await tracker.resolveIdentity(ctx.signal), stored, notes })
    if (dryRun) return { ...answer, comment: null }
    const after = newest.comments[0]?.id ?? 0
    const isHtml = tracker.capabilities.textFormat !== 'markdown'
    const toSend = isHtml ? (await images.send(link, id, { html: stored })).html : await images.send(link, id, stored)
    const outcome = await tracker.addComment({ itemId: id, text: toSend, after }, ctx.signal)
    if (outcome.status === 'added') {
      const [comment] = await compute(uninterrupted(ctx), itemTasks.toComments, [outcome.comment])
      return { ...answer, comment: comment! }
    }
    throw createOutcomeError(outcome, {
      rejected: 'The tracker rejected the comment.',
      unknown: 'It is not known whether the comment was added.',
      look: hint`Before you send it again, look for it: ${suggest('items.comments', { id })}`,
    })
  },
})
