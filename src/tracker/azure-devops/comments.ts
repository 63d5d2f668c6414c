import { toOutcome } from '../services/change-result'
import { TrackerError } from '../services/requests/tracker-error'
import { createVerificationSignal } from '../services/requests/verification-signal'
import type { CommentOutcome, NewComment, ReadComments, TrackerComment } from '../tracker'
import { parseInstant, parsePerson } from './field-values'
import type { AdapterParts } from './item-reader'
import { parseChangeResult, singleUpdate } from './update-requests'
import { buildProjectPath } from './urls'
import { WireComment, WireComments } from './wire-schemas'

/** The comments have no released version of the API. */
export const COMMENTS_VERSION = { 'api-version': '7.1-preview.4' }
const MAX_PAGE_SIZE = 200
/** Comments that are read to find one whose response was lost. */
const MAX_SEARCHED = 20

/** Reads the newest comments. */
export async function listComments(
  itemId: number,
  { limit, signal }: { limit: number; signal: AbortSignal },
  parts: AdapterParts,
): Promise<ReadComments> {
  const path = await buildPath(itemId, signal, parts)
  const comments: TrackerComment[] = []
  let total = 0
  let token: string | null = null
  for (;;) {
    const query: Record<string, string | number> = { ...COMMENTS_VERSION, order: 'desc' }
    query['$top'] = Math.min(limit - comments.length, MAX_PAGE_SIZE)
    if (token !== null) query['continuationToken'] = token
    const page: WireComments = await parts.client.read({ method: 'GET', path, query }, WireComments, signal)
    total = Math.max(page.totalCount ?? 0, comments.length + page.comments.length)
    comments.push(...page.comments.flatMap(mapComment))
    const next: string | null = page.continuationToken ?? null
    if (next === null || next === token || page.comments.length === 0 || comments.length >= limit) break
    token = next
  }
  return { total, comments: comments.slice(0, limit) }
}

/**
 * Adds a comment. Adding it twice would make two, so after a lost response the comments that are newer than `after` are read. It is sent
 * again only if the tracker answered that it is unavailable, and has not stored it. Throws only if no comment was added.
 */
export async function addComment(
  { itemId, text: html, after }: NewComment,
  signal: AbortSignal,
  parts: AdapterParts,
): Promise<CommentOutcome> {
  const { client } = parts
  const path = await buildPath(itemId, signal, parts)
  for (let attempt = 1; ; attempt += 1) {
    const request = { method: 'POST', path, query: COMMENTS_VERSION, body: { text: html } } as const
    const { response, error } = await client.write(request, signal).catch((error: unknown) => {
      if (!(error instanceof TrackerError) || error.effect === 'none') throw error
      return { response: null, error }
    })
    const isRefused = error !== null && response !== null && response.status >= 400 && response.status < 500
    if (isRefused && !singleUpdate.senderErrors.has(error.code)) {
      const result = parseChangeResult(response.status, response.json)
      return result.kind === 'rejected' ? toOutcome(result) : { status: 'rejected', message: error.message }
    }
    if (error?.effect === 'none') throw error
    const added = error === null && response !== null ? WireComment.safeParse(response.json) : null
    const [comment] = added?.success ? mapComment(added.data) : []
    if (comment) return { status: 'added', comment }
    const message = error?.message ?? 'The response of the tracker has an unexpected shape.'
    const found = await findNewComment({ itemId, text: html, after }, signal, parts)
    if (found === undefined) return { status: 'unknown', message }
    if (found !== null) return { status: 'added', comment: found }
    if (response?.status !== 503 || attempt >= client.limits.maxAttempts) return { status: 'unknown', message }
    await client.pause(attempt, signal)
  }
}

/** Null if there is none, undefined if the tracker cannot be asked. */
async function findNewComment({ itemId, text: html, after }: NewComment, signal: AbortSignal, parts: AdapterParts) {
  const verification = createVerificationSignal(signal, parts.client.limits)
  try {
    const { comments } = await listComments(itemId, { limit: MAX_SEARCHED, signal: verification }, parts)
    const words = wordsOf(html)
    return comments.find(({ id, text }) => id > after && wordsOf(text.text) === words) ?? null
  } catch (error) {
    if (error instanceof TrackerError) return undefined
    throw error
  }
}

/** The tracker rewrites the markup, but not the words. */
export function wordsOf(html: string): string {
  return html.replace(/<[^<>]*>|&[a-z#\d]+;|\s+/gi, '')
}

async function buildPath(itemId: number, signal: AbortSignal, { project }: AdapterParts): Promise<string> {
  return buildProjectPath(await project.get(signal), `_apis/wit/workItems/${itemId}/comments`)
}

export function mapComment(wire: WireComment): TrackerComment[] {
  const id = wire.id ?? wire.commentId
  if (id == null || wire.isDeleted === true) return []
  const createdAt = parseInstant(wire.createdDate)
  return [
    {
      id,
      author: parsePerson(wire.createdBy),
      createdAt,
      changedAt: parseInstant(wire.modifiedDate) ?? createdAt,
      text: { format: wire.format?.toLowerCase() === 'markdown' ? 'markdown' : 'html', text: wire.text ?? '' },
    },
  ]
}
