import { compute, hint, StudioError, suggest } from '../../kernel'
import { describeLocalImages } from '../../rich-text'
import type { Tracker, TrackerComment } from '../../tracker'
import { itemTasks } from '../rules/tasks'
import { createUpdateError } from '../rules/update-fields'
import { findMentionablePeople, listUnknownNames } from './mentionable-people'
import { readComments } from './read-comments'
import type { TrackerWorkspaceContext } from './workspace-context'

interface CommentText {
  /** In the tracker's format. */
  stored: string
  /** What people will read, with mentions as links. */
  shown: string
  notes: string[]
}

/** The text of a comment as the tracker takes it. Names of known people after an at sign become mentions. */
export async function prepareCommentText(
  ctx: TrackerWorkspaceContext,
  { capabilities }: Pick<Tracker, 'capabilities'>,
  { id, text }: { id: number; text: string },
): Promise<CommentText> {
  if (capabilities.textFormat === 'markdown') return { stored: text, shown: text, notes: [] }
  const people = await ctx.db.read((tx) => findMentionablePeople(tx, id, text))
  const { html, shown } = await compute(ctx, itemTasks.previewComment, text, people)
  const notes = listUnknownNames(text, people).map((name) => `@${name} is not a known person, so it remains text.`)
  return { stored: html, shown, notes }
}

/** Local files cannot be shown by a tracker. */
export function refuseLocalImages(text: string): void {
  const problem = describeLocalImages(text)
  if (problem !== null) throw createUpdateError([{ path: 'text', message: problem }])
}

const MAX_SEARCHED = 1_000

/** Reads one of the newest comments. Throws `not_found` if it is not among them. */
export async function findComment(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { id, commentId }: { id: number; commentId: number },
): Promise<TrackerComment> {
  const { comments, total } = await readComments(ctx, tracker, { id, limit: MAX_SEARCHED })
  const found = comments.find((comment) => comment.id === commentId)
  if (found) return found
  const among = total > MAX_SEARCHED ? ` among its newest ${MAX_SEARCHED}` : ''
  throw new StudioError('not_found', `The work item has no comment ${commentId}${among}.`, {
    hint: hint`List them: ${suggest('items.comments', { id })}`,
  })
}
