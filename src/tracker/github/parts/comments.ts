import * as z from 'zod'
import { toInstant, WireInstant } from '../../services/instants'
import { addCommentOnce } from '../../services/parts/add-comment-once'
import { sendStep } from '../../services/requests/graphql-mutations'
import { createNewestPageShape, NEWEST_PAGE_INFO } from '../../services/requests/graphql-pages'
import { collect, readPages } from '../../services/requests/pages'
import { TrackerError } from '../../services/requests/tracker-error'
import type { CommentOutcome, NewComment, ReadComments, TrackerComment } from '../../tracker'
import { describeMissing } from '../issue-reader'
import { toPerson } from '../map-issue'
import type { RepositoryClient } from '../repository-client'
import { WireUser } from '../wire-issue'

const MAX_PAGE_SIZE = 100

export const WireComment = z.object({
  id: z.string(),
  fullDatabaseId: z.union([z.string(), z.number()]).nullable(),
  author: WireUser.nullable(),
  body: z.string(),
  createdAt: WireInstant,
  updatedAt: WireInstant,
  viewerDidAuthor: z.boolean(),
})
export type WireComment = z.output<typeof WireComment>

export const COMMENT =
  'id fullDatabaseId author { login ... on User { name } } body createdAt updatedAt viewerDidAuthor'

const WireComments = z.object({
  issue: z
    .object({ id: z.string(), comments: z.object({ totalCount: z.int() }).and(createNewestPageShape(WireComment)) })
    .nullable(),
})

/** Reads the newest comments, the newest first. */
export async function listComments(
  itemId: number,
  options: { limit: number; signal: AbortSignal },
  graphql: RepositoryClient,
): Promise<ReadComments> {
  const { total, wires } = await readComments(itemId, options, graphql)
  return { total, comments: wires.map(mapComment) }
}

async function readComments(
  itemId: number,
  { limit, signal }: { limit: number; signal: AbortSignal },
  graphql: RepositoryClient,
): Promise<{ issueId: string; total: number; wires: WireComment[] }> {
  const found = { issueId: '', total: 0 }
  const wires = await collect(readCommentPages(itemId, { limit, signal, found }, graphql), limit)
  return { ...found, wires: wires.slice(0, limit) }
}

/** Finds a comment by the ID that `listComments` gives it, from the newest back. Throws `not_found` if the issue is missing. */
export async function findComment(
  { itemId, commentId }: { itemId: number; commentId: number },
  signal: AbortSignal,
  graphql: RepositoryClient,
): Promise<WireComment | null> {
  for await (const page of readCommentPages(itemId, { limit: MAX_PAGE_SIZE, signal }, graphql)) {
    const found = page.find((wire) => toCommentId(wire) === commentId)
    if (found) return found
  }
  return null
}

/** More than the 2,500 comments that GitHub allows. */
const MAX_PAGES = 100

/** Pages of comments, the newest first. Notes in `found` what else they say of the issue. */
function readCommentPages(
  itemId: number,
  { limit, signal, found }: { limit: number; signal: AbortSignal; found?: { issueId: string; total: number } },
  graphql: RepositoryClient,
): AsyncGenerator<WireComment[]> {
  return readPages(async (before) => {
    const query = {
      select: () =>
        `issue(number: $number) { id comments(last: $last, before: $before) { totalCount nodes { ${COMMENT} } ${NEWEST_PAGE_INFO} } }`,
      declarations: '$number: Int!, $last: Int!, $before: String',
      variables: { number: itemId, last: Math.min(limit, MAX_PAGE_SIZE), before },
    }
    const { issue } = await graphql.queryRepository(query, WireComments, signal)
    if (issue === null) throw new TrackerError('not_found', describeMissing(itemId))
    if (found) Object.assign(found, { issueId: issue.id, total: issue.comments.totalCount })
    return issue.comments
  }, MAX_PAGES)
}

export async function addComment(
  comment: NewComment,
  signal: AbortSignal,
  graphql: RepositoryClient,
): Promise<CommentOutcome> {
  const { issueId } = await readComments(comment.itemId, { limit: 1, signal }, graphql)
  const input = { subjectId: issueId, body: comment.text }
  const select = () => `commentEdge { node { ${COMMENT} } }`
  return addCommentOnce(comment, signal, {
    expected: comment.text,
    limits: graphql.limits,
    send: () => sendStep({ name: 'addComment', input, select }, WireAddedComment, graphql, signal),
    async list(options) {
      const { total, wires } = await readComments(comment.itemId, options, graphql)
      return { total, comments: wires.filter(({ viewerDidAuthor }) => viewerDidAuthor).map(mapComment) }
    },
  })
}

const WireAddedComment = z
  .object({ commentEdge: z.object({ node: WireComment }) })
  .transform(({ commentEdge }) => mapComment(commentEdge.node))

export function mapComment(wire: WireComment): TrackerComment {
  return {
    id: toCommentId(wire),
    author: wire.author && toPerson(wire.author),
    createdAt: toInstant(wire.createdAt),
    changedAt: toInstant(wire.updatedAt),
    text: { format: 'markdown', text: wire.body },
  }
}

function toCommentId({ fullDatabaseId }: WireComment): number {
  return Number(fullDatabaseId ?? 0)
}
