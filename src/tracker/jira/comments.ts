import * as z from 'zod'
import type { AtlassianTexts } from '../../rich-text/atlassian-texts'
import { parseResult } from '../services/change-result'
import { toInstantOrNull } from '../services/instants'
import { addCommentOnce } from '../services/parts/add-comment-once'
import { readFirst } from '../services/requests/pages'
import { renameMissing } from '../services/requests/tracker-error'
import type { CommentOutcome, NewComment, ReadComments, TrackerComment } from '../tracker'
import { describeMissing } from './issue-reader'
import type { JiraClient } from './jira-client'
import { mapPerson, WireUser } from './map-issue'

export const WireComment = z.object({
  id: z.string(),
  author: WireUser.nullish(),
  body: z.unknown().optional(),
  created: z.string().nullish(),
  updated: z.string().nullish(),
})
const WireComments = z.object({ total: z.int(), comments: z.array(WireComment) })

/** Reads the newest comments, the newest first. */
export async function listComments(
  itemId: number,
  { limit, signal }: { limit: number; signal: AbortSignal },
  client: JiraClient,
): Promise<ReadComments> {
  const texts = await client.loadTexts(signal)
  const { total, entries } = await readFirst({ limit, largest: 100 }, async (startAt, maxResults) => {
    const query = { orderBy: '-created', startAt, maxResults }
    const reading = client.get(`/issue/${itemId}/comment`, query, WireComments, signal)
    const page = await renameMissing(reading, describeMissing(itemId))
    return { total: page.total, entries: page.comments.map((wire) => mapComment(wire, texts)) }
  })
  return { total, comments: entries }
}

export async function addComment(
  comment: NewComment,
  signal: AbortSignal,
  client: JiraClient,
): Promise<CommentOutcome> {
  const { itemId } = comment
  const texts = await client.loadTexts(signal)
  const body = texts.fromMarkdown(comment.text)
  return addCommentOnce(comment, signal, {
    expected: texts.toMarkdown(body),
    limits: client.limits,
    list: (options) => listComments(itemId, options, client),
    async send() {
      const sent = await client.change({ method: 'POST', path: `/issue/${itemId}/comment`, body: { body } }, signal)
      return parseResult(sent, (json) => mapComment(WireComment.parse(json), texts))
    },
  })
}

export function mapComment(wire: z.output<typeof WireComment>, texts: AtlassianTexts): TrackerComment {
  return {
    id: Number(wire.id),
    author: mapPerson(wire.author),
    createdAt: toInstantOrNull(wire.created),
    changedAt: toInstantOrNull(wire.updated),
    text: { format: 'markdown', text: texts.toMarkdown(wire.body) },
  }
}
