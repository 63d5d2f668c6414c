import type { CommentOutcome, NewComment, ReadComments, TrackerComment } from '../../tracker'
import { type ChangeResult, sendOnce, toOutcome } from '../change-result'
import type { RequestLimits } from '../requests/rate-limiter'
import { isSameText } from '../update-after-reading'

/** Comments that are read to find one whose response was lost. */
const MAX_SEARCHED = 20

/** Adds a comment once: after a lost response the newer comments are read, because the tracker would add the same comment twice. */
export async function addCommentOnce(
  { after }: Pick<NewComment, 'after'>,
  signal: AbortSignal,
  {
    expected,
    limits,
    send,
    list,
  }: {
    /** The text as it will be read. */
    expected: string
    limits: RequestLimits
    send(): Promise<ChangeResult<TrackerComment>>
    list(options: { limit: number; signal: AbortSignal }): Promise<ReadComments>
  },
): Promise<CommentOutcome> {
  const find = async (verification: AbortSignal) => {
    const { comments } = await list({ limit: MAX_SEARCHED, signal: verification })
    return comments.find(({ id, text }) => id > after && isSameText(text.text, expected)) ?? null
  }
  const sent = await sendOnce(send(), find, { signal, limits })
  return sent.kind === 'done' ? { status: 'added', comment: sent.data } : toOutcome(sent)
}
