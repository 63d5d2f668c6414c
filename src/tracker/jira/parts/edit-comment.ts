import { type ChangeResult, parseResult, sendOnce, toOutcome } from '../../services/change-result'
import { TrackerError } from '../../services/requests/tracker-error'
import { isSameText } from '../../services/update-after-reading'
import type { CommentChange, CommentEditor, Rejection } from '../../tracker'
import { mapComment, WireComment } from '../comments'
import type { JiraClient } from '../jira-client'

const GONE = 'The comment does not exist in Jira, or your token cannot read it.'

export function createCommentEditor(client: JiraClient): CommentEditor {
  const pathOf = ({ itemId, commentId }: Pick<CommentChange, 'itemId' | 'commentId'>) =>
    `/issue/${itemId}/comment/${commentId}`

  /** The comment as Jira has it; null if it is gone. */
  async function read(change: Pick<CommentChange, 'itemId' | 'commentId'>, signal: AbortSignal) {
    try {
      return await client.get(pathOf(change), {}, WireComment, signal)
    } catch (error) {
      if (!(error instanceof TrackerError) || error.code !== 'not_found') throw error
      await client.confirmCredential(signal)
      return null
    }
  }

  type Found = Awaited<ReturnType<typeof read>>

  /** Why the comment cannot be changed. Jira lets administrators change those of other people, too. */
  async function findObstacle(
    found: NonNullable<Found>,
    { was }: Pick<CommentChange, 'was'>,
    signal: AbortSignal,
  ): Promise<Rejection | null> {
    const texts = await client.loadTexts(signal)
    const { accountId, name } = found.author ?? {}
    const account = await client.whoAmI(signal)
    if (account === null || ![accountId, name].includes(account))
      return { message: 'The comment is of another person.', code: 'tracker_forbidden' }
    if (!isSameText(texts.toMarkdown(found.body), was)) return { message: 'The comment has another text now.' }
    return null
  }

  return {
    async edit(change, signal) {
      const found = await read(change, signal)
      if (found === null) return { status: 'rejected', message: GONE, code: 'not_found' }
      const obstacle = await findObstacle(found, change, signal)
      if (obstacle) return { status: 'rejected', ...obstacle }
      const texts = await client.loadTexts(signal)
      const body = change.text.trim() === '' ? texts.fromMarkdown('') : texts.edit(found.body, change.text).stored
      const sending = client
        .change({ method: 'PUT', path: pathOf(change), body: { body } }, signal)
        .then((sent) => parseResult(sent, (json) => mapComment(WireComment.parse(json), texts)))
      const find = async (verification: AbortSignal) => {
        const now = await read(change, verification)
        return now && isSameText(texts.toMarkdown(now.body), texts.toMarkdown(body)) ? mapComment(now, texts) : null
      }
      const sent = await sendOnce(sending, find, { signal, limits: client.limits })
      return sent.kind === 'done' ? { status: 'added', comment: sent.data } : toOutcome(sent)
    },
    async delete(change, signal) {
      const found = await read(change, signal)
      if (found === null) return { status: 'deleted' }
      const obstacle = await findObstacle(found, change, signal)
      if (obstacle) return { status: 'rejected', ...obstacle }
      const sending: Promise<ChangeResult<unknown>> = client.change({ method: 'DELETE', path: pathOf(change) }, signal)
      const find = async (verification: AbortSignal) => ((await read(change, verification)) === null ? 'gone' : null)
      const sent = await sendOnce(sending, find, { signal, limits: client.limits })
      const isGone = sent.kind === 'done' || (sent.kind === 'rejected' && sent.code === 'not_found')
      return isGone ? { status: 'deleted' } : toOutcome(sent)
    },
  }
}
