import { createHash, randomUUID } from 'node:crypto'
import * as z from 'zod'
import { sendOnceAs } from '../../services/change-result'
import { toInstant, WireInstant } from '../../services/instants'
import { createCommentEditor, type FoundComment } from '../../services/parts/comment-editor'
import type { CommentOutcome, NewComment, ReadComments, TrackerComment } from '../../tracker'
import { type LinearClient, NOTHING } from '../linear-client'
import { toPerson } from '../map-issue'
import { USER, WireUser } from '../wire-issue'

const WireComment = z.object({
  id: z.string(),
  body: z.string(),
  createdAt: WireInstant,
  updatedAt: WireInstant,
  user: WireUser.nullish(),
})
type WireComment = z.output<typeof WireComment>
const COMMENT = `id body createdAt updatedAt user { ${USER} }`

/** All comments of an issue, the oldest first. Linear does not count them, and sorts them by itself. */
export async function readThread(itemId: number, linear: LinearClient, signal: AbortSignal) {
  const list = { name: 'comments', fields: COMMENT, shape: WireComment }
  const { issue, viewerId, entries } = await linear.readListOfIssue(itemId, list, signal)
  const comments = entries.map((wire): FoundComment<WireComment> => {
    return { wire, comment: mapComment(wire), isMine: wire.user?.id === viewerId }
  })
  return { issueId: issue.id, comments: comments.sort((a, b) => a.comment.id - b.comment.id) }
}

export async function listComments(
  itemId: number,
  { limit, signal }: { limit: number; signal: AbortSignal },
  linear: LinearClient,
): Promise<ReadComments> {
  const { comments } = await readThread(itemId, linear, signal)
  const newest = comments.reverse().slice(0, limit)
  return { total: comments.length, comments: newest.map(({ comment }) => comment) }
}

/** The comment gets its ID here, by which it is found after a lost response. */
export async function addComment(
  { itemId, text }: NewComment,
  signal: AbortSignal,
  linear: LinearClient,
): Promise<CommentOutcome> {
  const { issueId } = await readThread(itemId, linear, signal)
  const id = randomUUID()
  const input = { id, issueId, body: text }
  const sending = linear.change('commentCreate', { input: ['CommentCreateInput!', input] }, CHANGED, signal)
  const find = async (verification: AbortSignal) =>
    (await readThread(itemId, linear, verification)).comments.find(({ wire }) => wire.id === id)?.comment ?? null
  const options = { signal, limits: linear.limits }
  return sendOnceAs(sending, find, (comment): CommentOutcome => ({ status: 'added', comment }), options)
}

const CHANGED = {
  select: `comment { ${COMMENT} }`,
  shape: z.object({ comment: WireComment }).transform(({ comment }) => mapComment(comment)),
}

export const createThreadEditor = (linear: LinearClient) =>
  createCommentEditor<WireComment>({
    limits: linear.limits,
    itemName: 'Issue',
    async find({ itemId, commentId }, signal) {
      const { comments } = await readThread(itemId, linear, signal)
      return comments.find(({ comment }) => comment.id === commentId) ?? null
    },
    edit({ id }, { text }, signal) {
      const args = { id: ['String!', id], input: ['CommentUpdateInput!', { body: text }] } as const
      return linear.change('commentUpdate', args, CHANGED, signal)
    },
    delete: ({ id }, _, signal) => linear.change('commentDelete', { id: ['String!', id] }, NOTHING, signal),
  })

/**
 * Linear identifies a comment by a UUID. Its number is the millisecond of its creation, with three digits of its ID, so that newer comments
 * have larger numbers.
 */
function toNumber({ id, createdAt }: Pick<WireComment, 'id' | 'createdAt'>): number {
  const digits = createHash('sha256').update(id).digest().readUInt16BE(0) % 1000
  return Date.parse(createdAt) * 1000 + digits
}

function mapComment(wire: WireComment): TrackerComment {
  return {
    id: toNumber(wire),
    author: wire.user ? toPerson(wire.user) : null,
    createdAt: toInstant(wire.createdAt),
    changedAt: toInstant(wire.updatedAt),
    text: { format: 'markdown', text: wire.body },
  }
}
