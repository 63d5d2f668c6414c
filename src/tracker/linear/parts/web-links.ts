import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { WireInstant } from '../../services/instants'
import { createWebLinks } from '../../services/parts/web-link-editor'
import { findWebLinkKind } from '../../services/parts/web-link-kind'
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
export const ATTACHMENT = {
  select: 'attachment { id }',
  shape: z.object({ attachment: z.object({ id: z.string() }) }).transform(({ attachment }) => attachment.id),
}

/** The issue with all of its attachments. Throws `not_found` if it cannot be read. */
export async function readAttachments(itemId: number, linear: LinearClient, signal: AbortSignal) {
  const list = {
    name: 'attachments',
    fields: `id title url createdAt creator { ${USER} }`,
    shape: WireAttachment,
    size: 100,
  }
  const { issue, entries } = await linear.readListOfIssue(itemId, list, signal)
  return { ...issue, attachments: entries }
}

export function createAttachedLinks(linear: LinearClient) {
  const { limits, team } = linear
  return createWebLinks({
    limits,
    async list(itemId, signal) {
      const { attachments } = await readAttachments(itemId, linear, signal)
      return attachments.flatMap(({ id, title, url }) =>
        url.startsWith(team.filesBase) ? [] : [{ id, kind: findWebLinkKind(url), url, title }],
      )
    },
    async add({ itemId, url, title }, signal) {
      const { id: issueId } = await readAttachments(itemId, linear, signal)
      const args = {
        id: ['String', randomUUID()],
        issueId: ['String!', issueId],
        url: ['String!', url],
        title: ['String', title],
      } as const
      const { select, shape } = ATTACHMENT
      const toLink = shape.transform((id) => ({ id, kind: findWebLinkKind(url), url, title: title ?? url }))
      return linear.change('attachmentLinkURL', args, { select, shape: toLink }, signal)
    },
    remove: ({ linkId }, signal) => linear.change('attachmentDelete', { id: ['String!', linkId] }, NOTHING, signal),
  })
}
