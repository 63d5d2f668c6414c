import type { CommentChange, CommentEditor, Rejection, TrackerComment } from '../../tracker'
import { type ChangeResult, sendOnceAs } from '../change-result'
import type { RequestLimits } from '../requests/rate-limiter'
import { isSameText } from '../update-after-reading'

/** A comment in the tracker's own format and in that of the port. */
export interface FoundComment<Wire> {
  wire: Wire
  comment: TrackerComment
  /** Whether the account of the token wrote it. */
  isMine: boolean
  /** The author as messages name it (default: the display name). */
  authorName?: string | undefined
}

/** How an adapter finds, changes and deletes a comment. */
export interface CommentSource<Wire> {
  limits: RequestLimits
  /** What it calls an item: `Issue`. */
  itemName: string
  /** Null if the item has no such comment. */
  find(change: Omit<CommentChange, 'text' | 'was'>, signal: AbortSignal): Promise<FoundComment<Wire> | null>
  edit(wire: Wire, change: CommentChange, signal: AbortSignal): Promise<ChangeResult<TrackerComment>>
  delete(wire: Wire, change: Omit<CommentChange, 'text'>, signal: AbortSignal): Promise<ChangeResult<unknown>>
  /** Whether a comment has the new text, which the tracker may show in another spelling (default: the same text). */
  isEdited?(comment: TrackerComment, text: string, before: Wire): boolean
}

/** Changes and deletes comments of the account of the token. The trackers let administrators change those of others too. */
export function createCommentEditor<Wire>(source: CommentSource<Wire>): CommentEditor {
  const { limits, itemName, isEdited = ({ text: { text } }, wanted) => isSameText(text, wanted) } = source

  return {
    async edit(change, signal) {
      const { itemId, commentId, text } = change
      const found = await source.find(change, signal)
      const missing = `${itemName} ${itemId} has no comment ${commentId}, or your token cannot read it.`
      if (found === null) return { status: 'rejected', code: 'not_found', message: missing }
      const obstacle = findObstacle(found, change)
      if (obstacle) return { status: 'rejected', ...obstacle }
      if (isSameText(found.comment.text.text, text)) return { status: 'added', comment: found.comment }
      const look = async (verification: AbortSignal) => {
        const { comment = null } = (await source.find(change, verification)) ?? {}
        return comment && isEdited(comment, text, found.wire) ? comment : null
      }
      const sending = source.edit(found.wire, change, signal)
      return sendOnceAs(sending, look, (comment) => ({ status: 'added', comment }), { signal, limits })
    },

    async delete(change, signal) {
      const found = await source.find(change, signal)
      if (found === null) return { status: 'deleted' }
      const obstacle = findObstacle(found, change)
      if (obstacle) return { status: 'rejected', ...obstacle }
      const look = async (verification: AbortSignal) => ((await source.find(change, verification)) === null ? {} : null)
      const sending = source.delete(found.wire, change, signal)
      const outcome = await sendOnceAs(sending, look, () => ({ status: 'deleted' as const }), { signal, limits })
      return outcome.status === 'rejected' && outcome.code === 'not_found' ? { status: 'deleted' } : outcome
    },
  }
}

function findObstacle(
  { comment, isMine, authorName }: FoundComment<unknown>,
  { commentId, was }: Omit<CommentChange, 'text'>,
): Rejection | null {
  const author = authorName ?? comment.author?.displayName ?? 'an account that is gone'
  if (!isMine)
    return { code: 'tracker_forbidden', message: `Comment ${commentId} is by ${author}, and not by your account.` }
  if (isSameText(comment.text.text, was)) return null
  return { message: `Comment ${commentId} has another text now. Read it again.` }
}
