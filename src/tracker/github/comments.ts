import * as z from 'zod'
import { sendOnce } from '../services/change-result'
import { sendStep } from '../services/graphql-mutations'
import { toInstant, WireInstant } from '../services/instants'
import { TrackerError } from '../services/tracker-error'
import { isSameText } from '../services/update-after-reading'
import type { CommentOutcome, NewComment, ReadComments, TrackerComment } from '../tracker'
import { describeMissing } from './issue-reader'
import { toPerson } from './map-issue'
import type { RepositoryClient } from './repository-client'
import { WireUser } from './wire-issue'

const MAX_PAGE_SIZE = 100
/** Comments that are read to find one whose response was lost. */
const MAX_SEARCHED = 20

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

/** Adds a comment once: after a lost response the newer comments are read, because GitHub would add the same comment twice. */
export async function addComment(
  { itemId, text, after }: NewComment,
  signal: AbortSignal,
  graphql: RepositoryClient,
): Promise<CommentOutcome> {
  const { issueId } = await readComments(itemId, { limit: 1, signal }, graphql)
  const input = { subjectId: issueId, body: text }
  const shape = z
    .object({ commentEdge: z.object({ node: WireComment }) })
    .transform(({ commentEdge }) => commentEdge.node)
  const select = () => `commentEdge { node { ${COMMENT} } }`
  const find = async (verification: AbortSignal) => {
    const { wires } = await readComments(itemId, { limit: MAX_SEARCHED, signal: verification }, graphql)
    const isAdded = (wire: WireComment) =>
      wire.viewerDidAuthor && mapComment(wire).id > after && isSameText(wire.body, text)
    return wires.find(isAdded) ?? null
  }
  const sending = sendStep({ name: 'addComment', input, select }, shape, graphql, signal)
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
