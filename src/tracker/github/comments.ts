import * as z from 'zod'
import { sendOnce } from '../services/change-result'
import { readPages } from '../services/pages'
import { TrackerError } from '../services/tracker-error'
import { isSameText } from '../services/update-after-reading'
import type { CommentOutcome, NewComment, ReadComments, TrackerComment } from '../tracker'
import type { GraphqlClient } from './graphql-client'
import { describeMissing } from './issue-reader'
import { toInstant, toPerson } from './map-issue'
import { parseMutation } from './mutation-result'
import { WireUser } from './wire-issue'

const MAX_PAGE_SIZE = 100
/** Comments that are read to find one whose response was lost. */
const MAX_SEARCHED = 20

const WireComment = z.object({
  fullDatabaseId: z.union([z.string(), z.number()]).nullable(),
  author: WireUser.nullable(),
  body: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
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
  graphql: GraphqlClient,
): Promise<ReadComments> {
  const { total, wires } = await readComments(itemId, options, graphql)
  return { total, comments: wires.map(mapComment) }
}

async function readComments(
  itemId: number,
  { limit, signal }: { limit: number; signal: AbortSignal },
  graphql: GraphqlClient,
): Promise<{ issueId: string; total: number; wires: WireComment[] }> {
  const found = { issueId: '', total: 0, wires: [] as WireComment[] }
  const pages = readPages(async (before) => {
    const last = Math.min(limit - found.wires.length, MAX_PAGE_SIZE)
    const { issue } = await graphql.queryRepository(
      {
        select: () =>
          `issue(number: $number) { id comments(last: $last, before: $before) { totalCount nodes { ${COMMENT} } pageInfo { hasPreviousPage startCursor } } }`,
        declarations: '$number: Int!, $last: Int!, $before: String',
        variables: { number: itemId, last, before },
      },
      WireComments,
      signal,
    )
    if (issue === null) throw new TrackerError('not_found', describeMissing(itemId))
    const { totalCount, nodes, pageInfo } = issue.comments
    Object.assign(found, { issueId: issue.id, total: totalCount })
    return { entries: nodes.reverse(), next: pageInfo.hasPreviousPage ? (pageInfo.startCursor ?? null) : null }
  })
  for await (const page of pages) {
    found.wires.push(...page)
    if (found.wires.length >= limit) break
  }
  return found
}

/** Adds a comment once: after a lost response the newer comments are read, because GitHub would add the same comment twice. */
export async function addComment(
  { itemId, text, after }: NewComment,
  signal: AbortSignal,
  graphql: GraphqlClient,
): Promise<CommentOutcome> {
  const { issueId } = await readComments(itemId, { limit: 1, signal }, graphql)
  const write = () =>
    `mutation($subjectId: ID!, $body: String!) { addComment(input: { subjectId: $subjectId, body: $body }) { commentEdge { node { ${COMMENT} } } } }`
  const shape = z
    .object({ addComment: z.object({ commentEdge: z.object({ node: WireComment }) }) })
    .transform(({ addComment }) => addComment.commentEdge.node)
  const find = async (verification: AbortSignal) => {
    const { wires } = await readComments(itemId, { limit: MAX_SEARCHED, signal: verification }, graphql)
    const isAdded = (wire: WireComment) =>
      wire.viewerDidAuthor && mapComment(wire).id > after && isSameText(wire.body, text)
    return wires.find(isAdded) ?? null
  }
  const sending = parseMutation(graphql.mutate(write, { subjectId: issueId, body: text }, signal), shape)
  const sent = await sendOnce(sending, find, { signal, limits: graphql.limits })
  return sent.kind === 'done'
    ? { status: 'added', comment: mapComment(sent.data) }
    : { status: sent.kind, message: sent.message }
}

function mapComment(wire: WireComment): TrackerComment {
  return {
    id: Number(wire.fullDatabaseId ?? 0),
    author: wire.author && toPerson(wire.author),
    createdAt: toInstant(wire.createdAt),
    changedAt: toInstant(wire.updatedAt),
    text: { format: 'markdown', text: wire.body },
  }
}
