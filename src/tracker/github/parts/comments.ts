import * as z from 'zod'
import { addCommentOnce } from '../../services/add-comment-once'
import { toInstant, WireInstant } from '../../services/instants'
import { sendStep } from '../../services/requests/graphql-mutations'
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
    .object({
      id: z.string(),
      comments: z.object({
        totalCount: z.int(),
        nodes: z.array(WireComment),
        pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullish() }),
      }),
    })
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
  const wires: WireComment[] = []
  for await (const page of readCommentPages(itemId, limit, signal, graphql)) {
    wires.push(...page.wires)
    if (wires.length >= limit || page.isLast) return { ...page, wires }
  }
  throw new TrackerError('tracker_answer', 'The comments of GitHub do not end.')
}

/** Finds a comment by the ID that `listComments` gives it, from the newest back. Throws `not_found` if the issue is missing. */
export async function findComment(
  { itemId, commentId }: { itemId: number; commentId: number },
  signal: AbortSignal,
  graphql: RepositoryClient,
): Promise<WireComment | null> {
  for await (const { wires, isLast } of readCommentPages(itemId, MAX_SEARCHED, signal, graphql)) {
    const found = wires.find((wire) => toCommentId(wire) === commentId)
    if (found || isLast) return found ?? null
  }
  return null
}

/** No issue has as many. GitHub allows 2,500. */
const MAX_SEARCHED = 10_000

/** Pages of comments, the newest first, until `limit` are read. */
export async function* readCommentPages(
  itemId: number,
  limit: number,
  signal: AbortSignal,
  graphql: RepositoryClient,
): AsyncGenerator<{ issueId: string; total: number; wires: WireComment[]; isLast: boolean }, void, undefined> {
  let count = 0
  for (let before: string | null = null; count < limit; ) {
    const last = Math.min(limit - count, MAX_PAGE_SIZE)
    const query = {
      select: () =>
        `issue(number: $number) { id comments(last: $last, before: $before) { totalCount nodes { ${COMMENT} } pageInfo { hasPreviousPage startCursor } } }`,
      declarations: '$number: Int!, $last: Int!, $before: String',
      variables: { number: itemId, last, before },
    }
    const { issue } = (await graphql.queryRepository(query, WireComments, signal)) as z.output<typeof WireComments>
    if (issue === null) throw new TrackerError('not_found', describeMissing(itemId))
    const { totalCount: total, nodes, pageInfo } = issue.comments
    const previous: string | null = pageInfo.startCursor ?? null
    const isLast = !pageInfo.hasPreviousPage || previous === null || previous === before
    count += Math.max(nodes.length, 1)
    yield { issueId: issue.id, total, wires: nodes.reverse(), isLast }
    if (isLast) return
    before = previous
  }
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
