import * as z from 'zod'
import { addCommentOnce } from '../services/add-comment-once'
import { toInstant, WireInstant } from '../services/instants'
import { sendStep } from '../services/requests/graphql-mutations'
import { TrackerError } from '../services/requests/tracker-error'
import type { CommentOutcome, NewComment, ReadComments, TrackerComment } from '../tracker'
import { describeMissing } from './issue-reader'
import { toPerson } from './map-issue'
import type { RepositoryClient } from './repository-client'
import { WireUser } from './wire-issue'

const MAX_PAGE_SIZE = 100

const WireComment = z.object({
  fullDatabaseId: z.union([z.string(), z.number()]).nullable(),
  author: WireUser.nullable(),
  body: z.string(),
  createdAt: WireInstant,
  updatedAt: WireInstant,
  viewerDidAuthor: z.boolean(),
})
type WireComment = z.output<typeof WireComment>

const COMMENT = 'fullDatabaseId author { login ... on User { name } } body createdAt updatedAt viewerDidAuthor'

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
  for (let before: string | null = null; ; ) {
    const last = Math.min(limit - wires.length, MAX_PAGE_SIZE)
    const query = {
      select: () =>
        `issue(number: $number) { id comments(last: $last, before: $before) { totalCount nodes { ${COMMENT} } pageInfo { hasPreviousPage startCursor } } }`,
      declarations: '$number: Int!, $last: Int!, $before: String',
      variables: { number: itemId, last, before },
    }
    const { issue } = (await graphql.queryRepository(query, WireComments, signal)) as z.output<typeof WireComments>
    if (issue === null) throw new TrackerError('not_found', describeMissing(itemId))
    const { totalCount: total, nodes, pageInfo } = issue.comments
    wires.push(...nodes.reverse())
    before = pageInfo.startCursor ?? null
    if (wires.length >= limit || !pageInfo.hasPreviousPage || before === null)
      return { issueId: issue.id, total, wires }
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

function mapComment(wire: WireComment): TrackerComment {
  return {
    id: Number(wire.fullDatabaseId ?? 0),
    author: wire.author && toPerson(wire.author),
    createdAt: toInstant(wire.createdAt),
    changedAt: toInstant(wire.updatedAt),
    text: { format: 'markdown', text: wire.body },
  }
}
