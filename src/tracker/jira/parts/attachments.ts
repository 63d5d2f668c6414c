import * as z from 'zod'
import { AsyncMemo } from '../../services/async-memo'
import { nullOnTrackerError, parseResult, sendOnce, toOutcome } from '../../services/change-result'
import { toInstantOrNull } from '../../services/instants'
import { createMultipart } from '../../services/requests/multipart'
import { renameMissing, TrackerError } from '../../services/requests/tracker-error'
import type { AttachmentReader, AttachmentWriter, RemoteAttachment } from '../../tracker'
import { describeMissing } from '../issue-reader'
import type { JiraClient } from '../jira-client'
import { mapPerson, WireUser } from '../map-issue'

const WireAttachment = z.object({
  id: z
    .union([z.string(), z.int()])
    .transform(String)
    .pipe(z.string().regex(/^\d{1,15}$/)),
  filename: z.string(),
  author: WireUser.nullish(),
  created: z.string().nullish(),
  size: z.number().nullish(),
  mimeType: z.string().nullish(),
})
const WireIssue = z.object({ fields: z.object({ attachment: z.array(WireAttachment).nullish() }) })
const WireLimits = z.object({ enabled: z.boolean().default(true), uploadLimit: z.number().optional() })

export function createAttachmentReader(client: JiraClient): AttachmentReader {
  return {
    list: (itemId, signal) => listAttachments(itemId, client, signal),
    async open({ id, name }, position, signal) {
      if (!/^\d{1,15}$/.test(id)) throw new TrackerError('not_found', `Jira has no attachment "${id}".`)
      const isCloud = (await client.deployment(signal)) === 'cloud'
      // The address that a server reports has its own host, which may be another one than that of the settings.
      const path = isCloud ? `/attachment/content/${id}` : `/secure/attachment/${id}/${toPathPart(name)}`
      return client.openContent(path, position, signal)
    },
  }
}

function toPathPart(name: string): string {
  return /^\.*$/.test(name) ? 'file' : encodeURIComponent(name)
}

async function listAttachments(itemId: number, client: JiraClient, signal: AbortSignal): Promise<RemoteAttachment[]> {
  const reading = client.get(`/issue/${itemId}`, { fields: 'attachment' }, WireIssue, signal)
  const { fields } = await renameMissing(reading, describeMissing(itemId))
  const isCloud = (await client.deployment(signal)) === 'cloud'
  const found = (fields.attachment ?? []).map((wire) => mapAttachment(wire, isCloud, client))
  return found.sort((a, b) => (a.createdAt ?? '').localeCompare(b.createdAt ?? '') || Number(a.id) - Number(b.id))
}

/** Texts of Data Center name a file of their issue, those of Cloud its address. */
function mapAttachment(wire: z.output<typeof WireAttachment>, isCloud: boolean, client: JiraClient): RemoteAttachment {
  const { id, filename, author, created, size, mimeType } = wire
  return {
    id,
    name: filename,
    size: size ?? null,
    mediaType: mimeType ?? null,
    author: mapPerson(author),
    createdAt: toInstantOrNull(created),
    url: isCloud ? `${client.project.site.base}/rest/api/3/attachment/content/${id}` : filename,
  }
}

export function createAttachmentWriter(client: JiraClient): AttachmentWriter {
  let maxBytes: number | null = null
  const settings = new AsyncMemo(async (signal) => {
    const found = await nullOnTrackerError(client.get('/attachment/meta', {}, WireLimits, signal))
    maxBytes = found?.uploadLimit ?? null
    return found
  })
  return {
    get maxBytes() {
      return maxBytes
    },
    showsByName: async (signal) => (await client.deployment(signal)) === 'server',
    async add({ itemId, name, mediaType, content }, signal) {
      const limits = await settings.get(signal)
      if (limits?.enabled === false) return { status: 'rejected', message: 'Jira does not take attachments.' }
      if (maxBytes !== null && content.size > maxBytes)
        return {
          status: 'rejected',
          message: `"${name}" has ${content.size} bytes. Jira takes files of up to ${maxBytes} bytes.`,
        }
      const isCloud = (await client.deployment(signal)) === 'cloud'
      const known = new Set((await listAttachments(itemId, client, signal)).map(({ id }) => id))
      const upload = createMultipart({}, { field: 'file', name, mediaType, content })
      const sending = client.change({ method: 'POST', path: `/issue/${itemId}/attachments`, upload }, signal)
      const find = async (verification: AbortSignal) => {
        const found = await listAttachments(itemId, client, verification)
        return found.find((one) => !known.has(one.id) && one.name === name && one.size === content.size) ?? null
      }
      const added = sending.then((sent) =>
        parseResult(sent, (json) => mapAttachment(z.array(WireAttachment).min(1).parse(json)[0]!, isCloud, client)),
      )
      const sent = await sendOnce(added, find, { signal, limits: client.limits })
      return sent.kind === 'done' ? { status: 'added', attachment: sent.data } : toOutcome(sent)
    },
  }
}
