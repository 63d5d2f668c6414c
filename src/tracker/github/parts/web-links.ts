import * as z from 'zod'
import { findWebLinkKind } from '../../services/parts/web-link-kind'
import { cleanText } from '../../services/requests/response-errors'
import { TrackerError } from '../../services/requests/tracker-error'
import type { WebLink, WebLinkReader } from '../../tracker'
import { describeMissing } from '../issue-reader'
import { presentNodes } from '../present-nodes'
import type { HasField, RepositoryClient } from '../repository-client'

const WirePullRequest = z.object({ id: z.string(), number: z.int(), title: z.string(), url: z.string() })
const WireCommit = z.object({ id: z.string(), oid: z.string(), messageHeadline: z.string(), commitUrl: z.string() })
const WireBranch = z.object({
  id: z.string(),
  ref: z.object({ name: z.string(), repository: z.object({ url: z.string() }) }).nullish(),
})

const WireLinks = z.object({
  issue: z
    .object({
      closedByPullRequestsReferences: presentNodes(WirePullRequest).nullish(),
      linkedBranches: presentNodes(WireBranch).nullish(),
      timelineItems: presentNodes(z.object({ closer: z.unknown().optional() })),
    })
    .nullable(),
})

const PULL_REQUEST = 'id number title url'

/** Pull requests that close or closed the issue, commits that closed it, and branches for it. GitHub makes these links itself. */
export function createWebLinkReader(graphql: RepositoryClient): WebLinkReader {
  return {
    async list(itemId, signal) {
      const query = {
        select: (has: HasField) => `issue(number: $number) { ${selectLinks(has)} }`,
        declarations: '$number: Int!',
        variables: { number: itemId },
      }
      const { issue } = await graphql.queryRepository(query, WireLinks, signal)
      if (issue === null) throw new TrackerError('not_found', describeMissing(itemId))
      const closers = issue.timelineItems.nodes.map(({ closer }) => closer)
      const pulls = [
        ...(issue.closedByPullRequestsReferences?.nodes ?? []),
        ...closers.flatMap((closer) => WirePullRequest.safeParse(closer).data ?? []),
      ]
      const commits = closers.flatMap((closer) => WireCommit.safeParse(closer).data ?? [])
      const links = [
        ...pulls.map(
          ({ id, number, title, url }): WebLink => ({
            id,
            kind: findWebLinkKind(url),
            url,
            title: cleanText(`#${number} ${title}`),
          }),
        ),
        ...commits.map(
          ({ id, oid, messageHeadline, commitUrl: url }): WebLink => ({
            id,
            kind: findWebLinkKind(url),
            url,
            title: cleanText(`${oid.slice(0, 7)} ${messageHeadline}`),
          }),
        ),
        ...(issue.linkedBranches?.nodes ?? []).flatMap(toBranchLink),
      ]
      return [...new Map(links.map((link) => [link.id, link])).values()]
    },
  }
}

/** A branch that was deleted has no ref. */
function toBranchLink({ id, ref }: z.output<typeof WireBranch>): WebLink[] {
  if (!ref) return []
  const path = ref.name.split('/').map(encodeURIComponent).join('/')
  const url = `${ref.repository.url}/tree/${path}`
  return [{ id, kind: findWebLinkKind(url), url, title: cleanText(ref.name) }]
}

function selectLinks(has: HasField): string {
  return [
    ...(has('closedByPullRequestsReferences')
      ? [`closedByPullRequestsReferences(first: 50, includeClosedPrs: true) { nodes { ${PULL_REQUEST} } }`]
      : []),
    ...(has('linkedBranches') ? ['linkedBranches(first: 50) { nodes { id ref { name repository { url } } } }'] : []),
    'timelineItems(last: 50, itemTypes: [CLOSED_EVENT]) { nodes { ... on ClosedEvent { closer { ' +
      `... on PullRequest { ${PULL_REQUEST} } ... on Commit { id oid messageHeadline commitUrl } } } } }`,
  ].join(' ')
}
