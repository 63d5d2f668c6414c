import * as z from 'zod'
import { WireInstant } from '../../services/instants'
import { collectFiles, type FilePlace } from '../../services/parts/text-files'
import type { RetryingClient } from '../../services/requests/retrying-client'
import { renameMissing, TrackerError } from '../../services/requests/tracker-error'
import type { AttachmentReader } from '../../tracker'
import { describeMissing } from '../issue-reader'
import { toPerson } from '../map-issue'
import type { RepositoryClient } from '../repository-client'
import { WireUser } from '../wire-issue'
import { findBodyFiles, findSignedAddress } from './body-files'

const WireText = z.object({
  body: z.string(),
  bodyHTML: z.string().optional(),
  author: WireUser.nullish(),
  createdAt: WireInstant,
})
type WireText = z.output<typeof WireText>
const WireIssueTexts = z.object({
  issue: WireText.extend({
    comments: z.object({
      nodes: z.array(WireText.nullable()),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
    }),
  }).nullable(),
})

/** Half of the largest page, because texts with their HTML are long. */
const PAGE_SIZE = 50
/** More comments than GitHub allows. */
const MAX_PAGES = 100

const NOT_READABLE =
  'GitHub does not have this file any more, or gives it only to a browser that is signed in. Open the issue in the browser to get it.'

/**
 * Reads the files that an issue and its comments show. GitHub lists no files of an issue. The ID of an attachment has the number of its issue,
 * because only the text of the issue has an address by which the content can be read.
 */
export function createAttachmentReader(
  graphql: RepositoryClient,
  client: Pick<RetryingClient, 'openContent'>,
): AttachmentReader {
  const { webBase } = graphql.repository

  /** The texts of an issue and its comments, the oldest first. */
  async function* readTexts(itemId: number, fields: string, signal: AbortSignal): AsyncGenerator<WireText> {
    let after: string | null = null
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const query = {
        select: () =>
          `issue(number: $number) { ${fields} comments(first: ${PAGE_SIZE}, after: $after) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`,
        declarations: '$number: Int!, $after: String',
        variables: { number: itemId, after },
      }
      const { issue } = (await graphql.queryRepository(query, WireIssueTexts, signal)) as z.output<
        typeof WireIssueTexts
      >
      if (issue === null) throw new TrackerError('not_found', describeMissing(itemId))
      if (after === null) yield issue
      yield* issue.comments.nodes.filter((comment) => comment !== null)
      const { hasNextPage, endCursor } = issue.comments.pageInfo
      if (!hasNextPage || endCursor == null || endCursor === after) return
      after = endCursor
    }
  }

  return {
    async list(itemId, signal) {
      const fields = 'body author { login ... on User { name } } createdAt'
      const places: FilePlace[] = []
      for await (const { body, author, createdAt } of readTexts(itemId, fields, signal)) {
        const files = findBodyFiles(body, webBase).map(({ url, name }) => ({ id: `${itemId} ${url}`, name, url }))
        places.push({ author: author ? toPerson(author) : null, createdAt, files })
      }
      return collectFiles(places)
    },

    async open({ id }, position, signal) {
      const [itemId, address = ''] = id.split(' ', 2)
      const [file] = findBodyFiles(address, webBase)
      if (file === undefined || file.url !== address)
        throw new TrackerError('not_found', 'This is no address of a file of GitHub.')
      const signed = file.key === null ? null : await findSigned(Number(itemId), file.key, signal)
      const { origin, pathname, search } = signed ?? new URL(address)
      // A server of your own has its files on the host of its API. A signed address needs no token.
      const isAnonymous = signed !== null || origin !== new URL(graphql.repository.api.base).origin
      const path = isAnonymous ? `${pathname}${search}` : pathname
      return renameMissing(client.openContent({ base: origin, path, isAnonymous }, position, signal), NOT_READABLE)
    },
  }

  async function findSigned(itemId: number, key: string, signal: AbortSignal): Promise<URL | null> {
    for await (const { bodyHTML = '' } of readTexts(itemId, 'body bodyHTML createdAt', signal)) {
      const signed = findSignedAddress(bodyHTML, key, webBase)
      if (signed !== null) return signed
    }
    return null
  }
}
