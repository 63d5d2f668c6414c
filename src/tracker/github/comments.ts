import * as z from 'zod'
import { TrackerError } from '../services/tracker-error'
import { createVerificationSignal } from '../services/verification-signal'
import type { CommentOutcome, NewComment, ReadComments, TrackerComment } from '../tracker'
import type { GraphqlClient } from './graphql-client'
import { createNotFoundError } from './issue-reader'
import { toInstant } from './map-issue'
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
  const wires: WireComment[] = []
  for (let before: string | null = null; ; ) {
    const last = Math.min(limit - wires.length, MAX_PAGE_SIZE)
    const page: z.output<typeof WireComments> = await graphql.queryRepository(
      {
        select: () =>
          `issue(number: $number) { id comments(last: $last, before: $before) { totalCount nodes { ${COMMENT} } pageInfo { hasPreviousPage startCursor } } }`,
        declarations: '$number: Int!, $last: Int!, $before: String',
        variables: { number: itemId, last, before },
      },
      WireComments,
      signal,
    )
    if (page.issue === null) throw createNotFoundError(itemId)
    const { id: issueId, comments } = page.issue
    const { totalCount: total, nodes, pageInfo } = comments
    wires.push(...nodes.reverse())
    if (!pageInfo.hasPreviousPage || !pageInfo.startCursor || wires.length >= limit) return { issueId, total, wires }
    before = pageInfo.startCursor
  }
}

/**
 * Adds a comment once. GitHub could add a comment that is sent again twice, so after a lost response the newer comments are read, and
 * if it is not among them the outcome is unknown. Throws only if no comment was added.
 */
export async function addComment(
  { itemId, text, after }: NewComment,
  signal: AbortSignal,
  graphql: GraphqlClient,
): Promise<CommentOutcome> {
  const { issueId } = await readComments(itemId, { limit: 1, signal }, graphql)
  const mutation = `mutation($subjectId: ID!, $body: String!) { addComment(input: { subjectId: $subjectId, body: $body }) { commentEdge { node { ${COMMENT} } } } }`
  const shape = z.object({ addComment: z.object({ commentEdge: z.object({ node: WireComment }) }) })
  const sent = await parseMutation(graphql.mutate(mutation, { subjectId: issueId, body: text }, signal), shape)
  if (sent.kind === 'refused') throw sent.error
  if (sent.kind === 'rejected') return { status: 'rejected', message: sent.message }
  if (sent.kind === 'done') return { status: 'added', comment: mapComment(sent.data.addComment.commentEdge.node) }
  const verification = createVerificationSignal(signal, graphql.limits)
  try {
    const { wires } = await readComments(itemId, { limit: MAX_SEARCHED, signal: verification }, graphql)
    const found = wires.find(
      (wire) => wire.viewerDidAuthor && mapComment(wire).id > after && isSameText(wire.body, text),
    )
    return found ? { status: 'added', comment: mapComment(found) } : { status: 'unknown', message: sent.message }
  } catch (error) {
    if (error instanceof TrackerError) return { status: 'unknown', message: sent.message }
    throw error
  }
}

function mapComment(wire: WireComment): TrackerComment {
  return {
    id: Number(wire.fullDatabaseId ?? 0),
    author: wire.author && {
      displayName: wire.author.name?.trim() || wire.author.login,
      uniqueName: wire.author.login,
    },
    createdAt: toInstant(wire.createdAt),
    changedAt: toInstant(wire.updatedAt),
    text: { format: 'markdown', text: wire.body },
  }
}

/** GitHub stores the text with other line ends. */
export function isSameText(a: string, b: string): boolean {
  return a.replace(/\r\n?/g, '\n').trim() === b.replace(/\r\n?/g, '\n').trim()
}
