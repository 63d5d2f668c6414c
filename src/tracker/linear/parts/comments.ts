import { createHash, randomUUID } from 'node:crypto'
import * as z from 'zod'
import { type ChangeResult, sendOnce, toOutcome } from '../../services/change-result'
import { toInstant, WireInstant } from '../../services/instants'
import { createPageShape } from '../../services/requests/graphql-pages'
import { readPages } from '../../services/requests/pages'
import { TrackerError } from '../../services/requests/tracker-error'
import { isSameText } from '../../services/update-after-reading'
import type {
  CommentChange,
  CommentEditor,
  CommentOutcome,
  NewComment,
  ReadComments,
  TrackerComment,
} from '../../tracker'
import { describeMissing } from '../issue-reader'
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

const WireThread = z.object({
  viewer: z.object({ id: z.string() }),
  issues: z.object({
    nodes: z.array(
      z.object({ id: z.string(), trashed: z.boolean().nullish(), comments: createPageShape(WireComment) }),
    ),
  }),
})

/** All comments of an issue, the oldest first. Linear does not count them, and sorts them by itself. */
export async function readThread(itemId: number, linear: LinearClient, signal: AbortSignal) {
  const filter = linear.filterIssues({ number: { eq: itemId } })
  const select =
    'viewer { id } issues(filter: $filter, first: 1, includeArchived: true) { nodes { id trashed ' +
    `comments(first: 250, after: $after) { nodes { ${COMMENT} } pageInfo { hasNextPage endCursor } } } }`
  const found = { issueId: '', viewerId: '' }
  const comments: WireComment[] = []
  const pages = readPages(async (after) => {
    const args = { filter: ['IssueFilter', filter], after: ['String', after] } as const
    const { viewer, issues } = await linear.ask(select, args, WireThread, signal)
    const [issue] = issues.nodes
    if (!issue || issue.trashed) throw new TrackerError('not_found', describeMissing(itemId))
    found.issueId = issue.id
    found.viewerId = viewer.id
    return issue.comments
  })
  for await (const page of pages) comments.push(...page)
  return { ...found, comments: comments.sort((a, b) => toNumber(a) - toNumber(b)) }
}

export async function listComments(
  itemId: number,
  { limit, signal }: { limit: number; signal: AbortSignal },
  linear: LinearClient,
): Promise<ReadComments> {
  const { comments } = await readThread(itemId, linear, signal)
  return { total: comments.length, comments: comments.reverse().slice(0, limit).map(mapComment) }
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
    (await readThread(itemId, linear, verification)).comments.find((one) => one.id === id) ?? null
  return toCommentOutcome(await sendOnce(sending, find, { signal, limits: linear.limits }))
}

const CHANGED = {
  select: `comment { ${COMMENT} }`,
  shape: z.object({ comment: WireComment }).transform(({ comment }) => comment),
}

/** Changes and deletes comments of the account of the token. Linear would let administrators change those of others too. */
export function createCommentEditor(linear: LinearClient): CommentEditor {
  /** The comment, or why it must not be changed. */
  async function find({ itemId, commentId, was }: Omit<CommentChange, 'text'>, signal: AbortSignal) {
    const { comments, viewerId } = await readThread(itemId, linear, signal)
    const wire = comments.find((one) => toNumber(one) === commentId) ?? null
    if (wire === null) return { wire, obstacle: null }
    if (wire.user?.id !== viewerId) {
      const message = `Comment ${commentId} is by ${wire.user?.name ?? 'an integration'}, and not by your account.`
      return { wire, obstacle: { code: 'tracker_forbidden', message } as const }
    }
    if (isSameText(wire.body, was)) return { wire, obstacle: null }
    return { wire, obstacle: { message: `Comment ${commentId} has another text now. Read it again.` } }
  }

  return {
    async edit(change, signal) {
      const { wire, obstacle } = await find(change, signal)
      if (obstacle) return { status: 'rejected', ...obstacle }
      if (wire === null) {
        const message = `Issue ${change.itemId} has no comment ${change.commentId}, or your token cannot read it.`
        return { status: 'rejected', code: 'not_found', message }
      }
      const args = { id: ['String!', wire.id], input: ['CommentUpdateInput!', { body: change.text }] } as const
      const sending = linear.change('commentUpdate', args, CHANGED, signal)
      const findChanged = async (verification: AbortSignal) => {
        const { wire: found } = await find(change, verification)
        return found !== null && isSameText(found.body, change.text) ? found : null
      }
      return toCommentOutcome(await sendOnce(sending, findChanged, { signal, limits: linear.limits }))
    },

    async delete(change, signal) {
      const { wire, obstacle } = await find(change, signal)
      if (obstacle) return { status: 'rejected', ...obstacle }
      if (wire === null) return { status: 'deleted' }
      const sending = linear.change('commentDelete', { id: ['String!', wire.id] }, NOTHING, signal)
      const isGone = async (verification: AbortSignal) => ((await find(change, verification)).wire === null ? {} : null)
      const sent = await sendOnce(sending, isGone, { signal, limits: linear.limits })
      return sent.kind === 'done' ? { status: 'deleted' } : toOutcome(sent)
    },
  }
}

function toCommentOutcome(sent: Exclude<ChangeResult<WireComment>, { kind: 'refused' }>): CommentOutcome {
  return sent.kind === 'done' ? { status: 'added', comment: mapComment(sent.data) } : toOutcome(sent)
}

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
