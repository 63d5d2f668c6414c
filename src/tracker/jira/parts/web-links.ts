import { createHash } from 'node:crypto'
import * as z from 'zod'
import { sendOnce, toOutcome } from '../../services/change-result'
import { renameMissing } from '../../services/requests/tracker-error'
import { findWebLinkKind } from '../../services/web-link-kind'
import type { WebLink, WebLinkEditor, WebLinkReader } from '../../tracker'
import { describeMissing } from '../issue-reader'
import type { JiraClient } from '../jira-client'

const WireLink = z.object({
  id: z.union([z.string(), z.int()]).transform(String),
  object: z.object({ url: z.string(), title: z.string().nullish() }),
})

const MAX_LENGTH = 255

export function createWebLinkReader(client: JiraClient): WebLinkReader {
  return { list: (itemId, signal) => listWebLinks(itemId, client, signal) }
}

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

export function createWebLinkEditor(client: JiraClient): WebLinkEditor {
  return {
    async add({ itemId, url, title }, signal) {
      const find = async (signal: AbortSignal) =>
        (await listWebLinks(itemId, client, signal)).find((link) => link.url === url) ?? null
      const known = await find(signal)
      if (known) return { status: 'added', link: known }
      const object = { url, title: (title?.trim() || url).slice(0, MAX_LENGTH) }
      const body = { globalId: createGlobalId(url), object }
      const sending = client.change({ method: 'POST', path: `/issue/${itemId}/remotelink`, body }, signal)
      const sent = await sendOnce<unknown>(sending, find, { signal, limits: client.limits })
      if (sent.kind !== 'done') return toOutcome(sent)
      const { data } = z.object({ id: z.union([z.string(), z.int()]).transform(String) }).safeParse(sent.data)
      const link = data ? { id: data.id, kind: findWebLinkKind(url), ...object } : await find(signal)
      return link
        ? { status: 'added', link }
        : { status: 'unknown', message: 'Jira took the link, and does not list it.' }
    },
    async remove({ itemId, linkId }, signal) {
      const find = async (signal: AbortSignal) =>
        (await listWebLinks(itemId, client, signal)).some(({ id }) => id === linkId) ? null : 'gone'
      if (!/^\d{1,15}$/.test(linkId) || (await find(signal)) !== null) return { status: 'deleted' }
      const sending = client.change({ method: 'DELETE', path: `/issue/${itemId}/remotelink/${linkId}` }, signal)
      const sent = await sendOnce<unknown>(sending, find, { signal, limits: client.limits })
      const isGone = sent.kind === 'done' || (sent.kind === 'rejected' && sent.code === 'not_found')
      return isGone ? { status: 'deleted' } : toOutcome(sent)
    },
  }
}

/** Jira has one link of an issue with an ID, so that the same address is never there twice. */
function createGlobalId(url: string): string {
  return url.length <= MAX_LENGTH ? url : `sha256:${createHash('sha256').update(url).digest('hex')}`
}
