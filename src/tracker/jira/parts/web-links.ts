import { createHash } from 'node:crypto'
import * as z from 'zod'
import { createWebLinks } from '../../services/parts/web-link-editor'
import { findWebLinkKind } from '../../services/parts/web-link-kind'
import { renameMissing } from '../../services/requests/tracker-error'
import type { WebLink } from '../../tracker'
import { describeMissing } from '../issue-reader'
import type { JiraClient } from '../jira-client'

const WireAdded = z.object({
  id: z
    .union([z.string(), z.int()])
    .transform(String)
    .pipe(z.string().regex(/^\d{1,15}$/)),
})
const WireLink = WireAdded.extend({
  object: z.object({ url: z.string(), title: z.string().nullish() }),
})

const MAX_LENGTH = 255

/** Links that an application keeps in its own place, such as those of the development panel, are not among them. */
async function listWebLinks(itemId: number, client: JiraClient, signal: AbortSignal): Promise<WebLink[]> {
  const reading = client.get(`/issue/${itemId}/remotelink`, {}, z.array(z.unknown()), signal)
  const links = await renameMissing(reading, describeMissing(itemId))
  return links.flatMap((link): WebLink[] => {
    const { data } = WireLink.safeParse(link)
    if (!data) return []
    const { url, title } = data.object
    return [{ id: data.id, kind: findWebLinkKind(url), url, title: title || url }]
  })
}

export const createRemoteLinks = (client: JiraClient) =>
  createWebLinks({
    limits: client.limits,
    list: (itemId, signal) => listWebLinks(itemId, client, signal),
    async add({ itemId, url, title }, signal) {
      const object = { url, title: (title?.trim() || url).slice(0, MAX_LENGTH) }
      const body = { globalId: createGlobalId(url), object }
      const sent = await client.change({ method: 'POST', path: `/issue/${itemId}/remotelink`, body }, signal)
      if (sent.kind !== 'done') return sent
      const { data } = WireAdded.safeParse(sent.data)
      return { kind: 'done', data: data ? { id: data.id, kind: findWebLinkKind(url), ...object } : null }
    },
    remove: ({ itemId, linkId }, signal) =>
      client.change({ method: 'DELETE', path: `/issue/${itemId}/remotelink/${encodeURIComponent(linkId)}` }, signal),
  })

/** Jira has one link of an issue with an ID, so that the same address is never there twice. */
function createGlobalId(url: string): string {
  return url.length <= MAX_LENGTH ? url : `sha256:${createHash('sha256').update(url).digest('hex')}`
}
