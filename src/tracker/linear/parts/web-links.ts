import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { sendOnce, toOutcome } from '../../services/change-result'
import { WireInstant } from '../../services/instants'
import { createPageShape } from '../../services/requests/graphql-pages'
import { readPages } from '../../services/requests/pages'
import { TrackerError } from '../../services/requests/tracker-error'
import { findWebLinkKind } from '../../services/web-link-kind'
import type { WebLink, WebLinkEditor, WebLinkReader } from '../../tracker'
import { describeMissing } from '../issue-reader'
import { type LinearClient, NOTHING } from '../linear-client'
import { USER, WireUser } from '../wire-issue'

/** What Linear calls an attachment: a link with a title, to a page or to a file of its own. */
const WireAttachment = z.object({
  id: z.string(),
  title: z.string(),
  url: z.string(),
  createdAt: WireInstant,
  creator: WireUser.nullish(),
})
export type WireAttachment = z.output<typeof WireAttachment>
export const ATTACHMENT = {
  select: 'attachment { id }',
  shape: z.object({ attachment: z.object({ id: z.string() }) }).transform(({ attachment }) => attachment.id),
}

const WireIssue = z.object({
  issues: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        description: z.string().nullish(),
        createdAt: WireInstant,
        creator: WireUser.nullish(),
        trashed: z.boolean().nullish(),
        attachments: createPageShape(WireAttachment),
      }),
    ),
  }),
})

/** The issue with all of its attachments. Throws `not_found` if it cannot be read. */
export async function readAttachments(itemId: number, linear: LinearClient, signal: AbortSignal) {
  const filter = linear.filterIssues({ number: { eq: itemId } })
  const select =
    `issues(filter: $filter, first: 1, includeArchived: true) { nodes { id description createdAt creator { ${USER} } trashed ` +
    `attachments(first: 100, after: $after) { nodes { id title url createdAt creator { ${USER} } } pageInfo { hasNextPage endCursor } } } }`
  let issue: z.output<typeof WireIssue>['issues']['nodes'][number] | undefined
  const attachments: WireAttachment[] = []
  const pages = readPages(async (after) => {
    const args = { filter: ['IssueFilter', filter], after: ['String', after] } as const
    issue = (await linear.ask(select, args, WireIssue, signal)).issues.nodes[0]
    if (!issue || issue.trashed) throw new TrackerError('not_found', describeMissing(itemId))
    return issue.attachments
  })
  for await (const page of pages) attachments.push(...page)
  return { ...issue!, attachments }
}

export function createWebLinks(linear: LinearClient): WebLinkReader & WebLinkEditor {
  const { filesBase } = linear.team
  const list = async (itemId: number, signal: AbortSignal) => {
    const { id, attachments } = await readAttachments(itemId, linear, signal)
    return { issueId: id, links: attachments.filter(({ url }) => !url.startsWith(filesBase)).map(toLink) }
  }
  const { limits } = linear
  return {
    list: async (itemId, signal) => (await list(itemId, signal)).links,

    async add({ itemId, url, title }, signal) {
      const { issueId, links } = await list(itemId, signal)
      const known = links.find((link) => link.url === url)
      if (known) return { status: 'added', link: known }
      const id = randomUUID()
      const args = {
        id: ['String', id],
        issueId: ['String!', issueId],
        url: ['String!', url],
        title: ['String', title],
      } as const
      const find = async (verification: AbortSignal) =>
        (await list(itemId, verification)).links.find((link) => link.url === url)?.id ?? null
      const sent = await sendOnce(linear.change('attachmentLinkURL', args, ATTACHMENT, signal), find, {
        signal,
        limits,
      })
      if (sent.kind !== 'done') return toOutcome(sent)
      return { status: 'added', link: { id: sent.data, kind: findWebLinkKind(url), url, title: title ?? url } }
    },

    async remove({ itemId, linkId }, signal) {
      const isGone = async (verification: AbortSignal) =>
        (await list(itemId, verification)).links.some(({ id }) => id === linkId) ? null : {}
      if (await isGone(signal)) return { status: 'deleted' }
      const sending = linear.change('attachmentDelete', { id: ['String!', linkId] }, NOTHING, signal)
      const sent = await sendOnce(sending, isGone, { signal, limits })
      return sent.kind === 'done' ? { status: 'deleted' } : toOutcome(sent)
    },
  }
}

function toLink({ id, title, url }: WireAttachment): WebLink {
  return { id, kind: findWebLinkKind(url), url, title }
}
