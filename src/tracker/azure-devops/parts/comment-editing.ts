import * as z from 'zod'
import { sendOnce, toOutcome } from '../../services/change-result'
import type { HttpRequest } from '../../services/requests/http-client'
import { TrackerError } from '../../services/requests/tracker-error'
import { isSameText } from '../../services/update-after-reading'
import type { CommentChange, CommentEditor, Rejection, TrackerComment } from '../../tracker'
import { COMMENTS_VERSION, mapComment, wordsOf } from '../comments'
import { parsePerson } from '../field-values'
import type { AdapterParts } from '../item-reader'
import { buildProjectPath } from '../urls'
import { WireComment } from '../wire-schemas'
import { sendChange } from './send-change'

const WireUser = z.looseObject({ authenticatedUser: z.looseObject({ id: z.string() }) })
const WireAuthor = z.looseObject({ id: z.string() })

/** Changes and deletes comments that the owner of the token wrote. */
export function createCommentEditor(parts: AdapterParts): CommentEditor {
  const { client, project } = parts
  const { limits } = client

  async function buildRequest({ itemId, commentId }: Omit<CommentChange, 'text' | 'was'>, signal: AbortSignal) {
    const path = buildProjectPath(await project.get(signal), `_apis/wit/workItems/${itemId}/comments/${commentId}`)
    return { path, query: COMMENTS_VERSION }
  }

  /** Null if the item has no such comment. */
  async function find(change: Omit<CommentChange, 'text' | 'was'>, signal: AbortSignal): Promise<WireComment | null> {
    const request = await buildRequest(change, signal)
    try {
      const wire = await client.read({ method: 'GET', ...request }, WireComment, signal)
      return wire.isDeleted === true ? null : wire
    } catch (error) {
      if (error instanceof TrackerError && error.code === 'not_found') return null
      throw error
    }
  }

  /** Why the comment is not changed; null if it may be. */
  async function findObstacle(
    wire: WireComment,
    { commentId, was }: Pick<CommentChange, 'commentId' | 'was'>,
    signal: AbortSignal,
  ): Promise<Rejection | null> {
    const request = { method: 'GET', path: '/_apis/connectionData', query: { 'api-version': '7.1-preview' } } as const
    const { authenticatedUser } = await client.read(request, WireUser, signal)
    const author = WireAuthor.safeParse(wire.createdBy).data?.id.toLowerCase()
    if (author !== authenticatedUser.id.toLowerCase()) {
      const name = parsePerson(wire.createdBy)?.displayName ?? 'another person'
      return {
        code: 'tracker_forbidden',
        message: `Comment ${commentId} is by ${name}, and not by the owner of the token.`,
      }
    }
    if (isSameText(wire.text ?? '', was)) return null
    return { message: `Comment ${commentId} has another text now. Read it again.` }
  }

  return {
    async edit(change, signal) {
      const wire = await find(change, signal)
      const { itemId, commentId, text } = change
      const missing = `Work item ${itemId} has no comment ${commentId}, or your token cannot read it.`
      if (wire === null) return { status: 'rejected', code: 'not_found', message: missing }
      const obstacle = await findObstacle(wire, change, signal)
      if (obstacle) return { status: 'rejected', ...obstacle }
      const findChanged = async (verification: AbortSignal): Promise<TrackerComment | null> => {
        const found = await find(change, verification)
        return found !== null && wordsOf(found.text ?? '') === wordsOf(text) ? (mapComment(found)[0] ?? null) : null
      }
      const request: HttpRequest = { method: 'PATCH', ...(await buildRequest(change, signal)), body: { text } }
      const sent = await sendOnce(
        sendChange(request, parts, signal).then((result) => {
          if (result.kind !== 'done') return result
          const parsed = WireComment.safeParse(result.data)
          const [comment] = parsed.success ? mapComment(parsed.data) : []
          const message = 'The response of the tracker has an unexpected shape.'
          return comment ? { kind: 'done', data: comment } : { kind: 'unknown', message }
        }),
        findChanged,
        { signal, limits },
      )
      return sent.kind === 'done' ? { status: 'added', comment: sent.data } : toOutcome(sent)
    },

    async delete(change, signal) {
      const wire = await find(change, signal)
      if (wire === null) return { status: 'deleted' }
      const obstacle = await findObstacle(wire, change, signal)
      if (obstacle) return { status: 'rejected', ...obstacle }
      const request: HttpRequest = { method: 'DELETE', ...(await buildRequest(change, signal)) }
      const findGone = async (verification: AbortSignal) => ((await find(change, verification)) === null ? {} : null)
      const sent = await sendOnce<unknown>(sendChange(request, parts, signal), findGone, { signal, limits })
      return sent.kind === 'done' ? { status: 'deleted' } : toOutcome(sent)
    },
  }
}
