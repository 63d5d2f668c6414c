import * as z from 'zod'
import { sendOnce, toOutcome } from '../../services/change-result'
import { sendStep, sendSteps } from '../../services/requests/graphql-mutations'
import { isSameText } from '../../services/update-after-reading'
import type { CommentChange, CommentEditor, Rejection } from '../../tracker'
import type { RepositoryClient } from '../repository-client'
import { COMMENT, findComment, mapComment, WireComment } from './comments'

/** Changes and deletes comments that the token's account wrote. GitHub would let administrators change those of others too. */
export function createCommentEditor(graphql: RepositoryClient): CommentEditor {
  const find = ({ itemId, commentId }: Omit<CommentChange, 'text'>, signal: AbortSignal) =>
    findComment({ itemId, commentId }, signal, graphql)

  return {
    async edit(change, signal) {
      const wire = await find(change, signal)
      if (wire === null) return { status: 'rejected', code: 'not_found', message: describeMissing(change) }
      const obstacle = findObstacle(wire, change)
      if (obstacle) return { status: 'rejected', ...obstacle }
      if (isSameText(wire.body, change.text)) return { status: 'added', comment: mapComment(wire) }
      const input = { id: wire.id, body: change.text }
      const shape = z.object({ issueComment: WireComment }).transform(({ issueComment }) => issueComment)
      const select = () => `issueComment { ${COMMENT} }`
      const findChanged = async (verification: AbortSignal) => {
        const found = await find(change, verification)
        return found !== null && isSameText(found.body, change.text) ? found : null
      }
      const sending = sendStep({ name: 'updateIssueComment', input, select }, shape, graphql, signal)
      const sent = await sendOnce(sending, findChanged, { signal, limits: graphql.limits })
      return sent.kind === 'done' ? { status: 'added', comment: mapComment(sent.data) } : toOutcome(sent)
    },

    async delete(change, signal) {
      const wire = await find(change, signal)
      if (wire === null) return { status: 'deleted' }
      const obstacle = findObstacle(wire, change)
      if (obstacle) return { status: 'rejected', ...obstacle }
      const sending = sendSteps([[{ name: 'deleteIssueComment', input: { id: wire.id } }]], graphql, signal)
      const findGone = async (verification: AbortSignal) => ((await find(change, verification)) === null ? [] : null)
      const sent = await sendOnce(
        sending.then(([result]) => result!),
        findGone,
        { signal, limits: graphql.limits },
      )
      return sent.kind === 'done' ? { status: 'deleted' } : toOutcome(sent)
    },
  }
}

function describeMissing({ itemId, commentId }: Omit<CommentChange, 'text' | 'was'>): string {
  return `Issue ${itemId} has no comment ${commentId}, or your token cannot read it.`
}

function findObstacle(
  wire: WireComment,
  { commentId, was }: Pick<CommentChange, 'commentId' | 'was'>,
): Rejection | null {
  const author = wire.author?.login ?? 'an account that is gone'
  if (!wire.viewerDidAuthor)
    return { code: 'tracker_forbidden', message: `Comment ${commentId} is by ${author}, and not by your account.` }
  return isSameText(wire.body, was) ? null : { message: `Comment ${commentId} has another text now. Read it again.` }
}
