import * as z from 'zod'
import { type ChangeResult, sendOnce } from '../services/change-result'
import { TrackerError } from '../services/tracker-error'
import { isSameText } from '../services/update-after-reading'
import type { CommentOutcome, NewComment, ReadComments, TrackerComment } from '../tracker'
import { describeMissing } from './issue-reader'
import type { JiraClient } from './jira-client'
import { mapPerson, toInstant, WireUser } from './map-issue'
import { loadTexts, type Texts } from './texts'

const MAX_PAGE_SIZE = 100
/** Comments that are read to find one whose response was lost. */
const MAX_SEARCHED = 20

const WireComment = z.object({
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
  const texts = await loadTexts(await client.deployment(signal))
  const comments: TrackerComment[] = []
  for (;;) {
    const maxResults = Math.min(limit - comments.length, MAX_PAGE_SIZE)
    const query = { orderBy: '-created', startAt: comments.length, maxResults }
    const page = await client
      .read({ method: 'GET', path: `/issue/${itemId}/comment`, query }, WireComments, signal)
      .catch((error: unknown) => {
        const isMissing = error instanceof TrackerError && error.code === 'not_found'
        throw isMissing ? new TrackerError('not_found', describeMissing(itemId)) : error
      })
    comments.push(...page.comments.map((wire) => mapComment(wire, texts)))
    if (comments.length >= Math.min(limit, page.total) || page.comments.length === 0)
      return { total: page.total, comments }
  }
}

/** Adds a comment once: after a lost response the newer comments are read, because Jira would add the same comment twice. */
export async function addComment(
  { itemId, text, after }: NewComment,
  signal: AbortSignal,
  client: JiraClient,
): Promise<CommentOutcome> {
  const texts = await loadTexts(await client.deployment(signal))
  const body = texts.fromMarkdown(text)
  const expected = texts.toMarkdown(body)
  const send = async (): Promise<ChangeResult<TrackerComment>> => {
    const sent = await client.change({ method: 'POST', path: `/issue/${itemId}/comment`, body: { body } }, signal)
    if (sent.kind !== 'done') return sent
    const parsed = WireComment.safeParse(sent.data.json)
    return parsed.success
      ? { kind: 'done', data: mapComment(parsed.data, texts) }
      : { kind: 'unknown', message: 'The response of the tracker has an unexpected shape.' }
  }
  const find = async (verification: AbortSignal) => {
    const { comments } = await listComments(itemId, { limit: MAX_SEARCHED, signal: verification }, client)
    return comments.find((one) => one.id > after && isSameText(one.text.text, expected)) ?? null
  }
  const sent = await sendOnce(send(), find, { signal, limits: client.limits })
  return sent.kind === 'done' ? { status: 'added', comment: sent.data } : { status: sent.kind, message: sent.message }
}

function mapComment(wire: z.output<typeof WireComment>, texts: Texts): TrackerComment {
  return {
    id: Number(wire.id),
    author: mapPerson(wire.author),
    createdAt: wire.created ? toInstant(wire.created) : null,
    changedAt: wire.updated ? toInstant(wire.updated) : null,
    text: { format: 'markdown', text: texts.toMarkdown(wire.body) },
  }
}
