import * as z from 'zod'
import { type ChangeResult, parseResult } from '../../services/change-result'
import { createCommentEditor } from '../../services/parts/comment-editor'
import type { HttpRequest } from '../../services/requests/http-client'
import { TrackerError } from '../../services/requests/tracker-error'
import type { CommentChange, TrackerComment } from '../../tracker'
import { COMMENTS_VERSION, mapComment, wordsOf } from '../comments'
import type { AdapterParts } from '../item-reader'
import { buildProjectPath } from '../urls'
import { WireComment } from '../wire-schemas'
import { sendChange } from './send-change'

const WireUser = z.looseObject({ authenticatedUser: z.looseObject({ id: z.string() }) })
const WireAuthor = z.looseObject({ id: z.string() })
const WirePresent = WireComment.transform((wire, context): TrackerComment => {
  const [comment] = mapComment(wire)
  if (comment) return comment
  context.addIssue({ code: 'custom', message: 'must be a comment' })
  return z.NEVER
})

export function createItemCommentEditor(parts: AdapterParts) {
  const { client, project } = parts

  type Place = Pick<CommentChange, 'itemId' | 'commentId'>
  async function buildRequest({ itemId, commentId }: Place, signal: AbortSignal) {
    const path = buildProjectPath(await project.get(signal), `_apis/wit/workItems/${itemId}/comments/${commentId}`)
    return { path, query: COMMENTS_VERSION }
  }
  async function send(request: Pick<HttpRequest, 'method' | 'body'>, change: Place, signal: AbortSignal) {
    return sendChange({ ...request, ...(await buildRequest(change, signal)) }, parts, signal)
  }

  return createCommentEditor<null>({
    limits: client.limits,
    itemName: 'Work item',
    async find(change, signal) {
      const request = { method: 'GET', ...(await buildRequest(change, signal)) } as const
      const wire = await client.read(request, WireComment, signal).catch((error: unknown) => {
        if (error instanceof TrackerError && error.code === 'not_found') return null
        throw error
      })
      const [comment] = wire === null || wire.isDeleted === true ? [] : mapComment(wire)
      if (comment === undefined) return null
      const path = '/_apis/connectionData'
      const viewer = { method: 'GET', path, query: { 'api-version': '7.1-preview' } } as const
      const { authenticatedUser } = await client.read(viewer, WireUser, signal)
      const author = WireAuthor.safeParse(wire!.createdBy).data?.id.toLowerCase()
      return { wire: null, comment, isMine: author === authenticatedUser.id.toLowerCase() }
    },
    async edit(_, change, signal): Promise<ChangeResult<TrackerComment>> {
      const sent = await send({ method: 'PATCH', body: { text: change.text } }, change, signal)
      return parseResult(sent, (json) => WirePresent.parse(json))
    },
    isEdited: ({ text: { text } }, wanted) => wordsOf(text) === wordsOf(wanted),
    delete: (_, change, signal) => send({ method: 'DELETE' }, change, signal),
  })
}
