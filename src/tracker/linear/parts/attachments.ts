import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { decodePart } from '../../../kernel/text/text'
import { type ChangeResult, sendOnce, toOutcome } from '../../services/change-result'
import { toInstant } from '../../services/instants'
import { cleanText } from '../../services/requests/response-errors'
import { TrackerError } from '../../services/requests/tracker-error'
import type { AttachmentReader, AttachmentWriter, NewAttachment, RemoteAttachment } from '../../tracker'
import type { LinearClient } from '../linear-client'
import { toPerson } from '../map-issue'
import type { WireUser } from '../wire-issue'
import { readThread } from './comments'
import { ATTACHMENT, readAttachments } from './web-links'

const MAX_LABEL_LENGTH = 300

/**
 * Reads the files that an issue links, and those that its description and its comments show. The address of a file is its ID. The token is
 * sent only to the storage of Linear.
 */
export function createAttachmentReader(linear: LinearClient): AttachmentReader {
  const { filesBase } = linear.team
  return {
    async list(itemId, signal) {
      const issue = await readAttachments(itemId, linear, signal)
      const { comments } = await readThread(itemId, linear, signal)
      const found = new Map<string, RemoteAttachment>()
      const add = (url: string, name: string, by: WireUser | null | undefined, createdAt: string) => {
        if (found.has(url)) return
        const author = by ? toPerson(by) : null
        found.set(url, { id: url, name, size: null, mediaType: null, author, createdAt: toInstant(createdAt), url })
      }
      for (const { url, title, creator, createdAt } of issue.attachments)
        if (url.startsWith(filesBase)) add(url, title, creator, createdAt)
      const texts = [{ body: issue.description ?? '', user: issue.creator, createdAt: issue.createdAt }, ...comments]
      for (const { body, user, createdAt } of texts)
        for (const { url, name } of findFiles(body, filesBase)) add(url, name, user, createdAt)
      return [...found.values()].sort((a, b) => (a.createdAt! < b.createdAt! ? -1 : 1))
    },

    async open({ id }, position, signal) {
      const url = URL.canParse(id) ? new URL(id) : null
      if (!url?.href.startsWith(filesBase))
        throw new TrackerError('not_found', 'This is no address of a file in Linear.')
      return linear.http.openContent({ base: url.origin, path: url.pathname }, position, signal)
    },
  }
}

/** The files that a text in Markdown shows or links, with the texts of their links as names. */
function findFiles(text: string, filesBase: string): { url: string; name: string }[] {
  const files: { url: string; name: string }[] = []
  for (let at = text.indexOf(filesBase); at !== -1; at = text.indexOf(filesBase, at + 1)) {
    const [url = ''] = /^[^\s"'<>()[\]\\]{1,1000}/.exec(text.slice(at, at + 1000)) ?? []
    const before = text.slice(Math.max(0, at - MAX_LABEL_LENGTH), at)
    const label = before.endsWith('](') ? before.slice(before.lastIndexOf('[') + 1, -2).trim() : ''
    files.push({ url, name: label || decodePart(url.split('/').at(-1) ?? '') })
  }
  return files
}

const WireUpload = z.object({
  uploadFile: z.object({
    uploadUrl: z.string(),
    assetUrl: z.string(),
    headers: z.array(z.object({ key: z.string(), value: z.string() })),
  }),
})

/** Headers of a request that no answer may set. */
const OWN_HEADERS = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'transfer-encoding',
])

/** Stores a file with the signed address that Linear gives for it, and links it to the issue. A file that is not linked is on no issue. */
export function createAttachmentWriter(linear: LinearClient): AttachmentWriter {
  return {
    maxBytes: null,
    async add(file, signal) {
      const { id: issueId } = await readAttachments(file.itemId, linear, signal)
      const stored = await store(file, signal)
      if (stored.kind === 'refused') throw stored.error
      if (stored.kind !== 'done') return toOutcome(stored)
      const url = stored.data
      const id = randomUUID()
      const input = { id, issueId, title: file.name, url }
      const sending = linear.change(
        'attachmentCreate',
        { input: ['AttachmentCreateInput!', input] },
        ATTACHMENT,
        signal,
      )
      const find = async (verification: AbortSignal) =>
        (await readAttachments(file.itemId, linear, verification)).attachments.find((one) => one.url === url)?.id ??
        null
      const sent = await sendOnce(sending, find, { signal, limits: linear.limits })
      if (sent.kind !== 'done') return toOutcome(sent)
      const { name, mediaType, content } = file
      return {
        status: 'added',
        attachment: { id: url, name, size: content.size, mediaType, author: null, createdAt: null, url },
      }
    },
  }

  /** Returns the address of the stored file. */
  async function store(
    { name, mediaType, content }: NewAttachment,
    signal: AbortSignal,
  ): Promise<ChangeResult<string>> {
    const args = {
      contentType: ['String!', mediaType],
      filename: ['String!', name],
      size: ['Int!', content.size],
    } as const
    const select = 'uploadFile { uploadUrl assetUrl headers { key value } }'
    const prepare = () => linear.change('fileUpload', args, { select, shape: WireUpload }, signal)
    // It only gives an address, so that it may be sent again, and nothing is attached if it fails.
    const first = await prepare()
    const prepared = first.kind === 'unknown' && !signal.aborted ? await prepare() : first
    if (prepared.kind === 'unknown')
      return { kind: 'rejected', code: 'tracker_answer', message: `The file was not attached. ${prepared.message}` }
    if (prepared.kind !== 'done') return prepared
    const { uploadUrl, assetUrl, headers } = prepared.data.uploadFile
    const target = URL.canParse(uploadUrl) ? new URL(uploadUrl) : null
    const { protocol } = new URL(linear.team.api.base)
    if (!target || ![protocol, 'https:'].includes(target.protocol) || !assetUrl.startsWith(linear.team.filesBase))
      return { kind: 'rejected', message: 'Linear gave an address for the file that is not valid.' }
    const safe = headers.filter(({ key }) => /^[a-z0-9-]{1,100}$/i.test(key) && !OWN_HEADERS.has(key.toLowerCase()))
    const response = await linear.http.readAny(
      {
        method: 'PUT',
        base: target.origin,
        path: `${target.pathname}${target.search}`,
        upload: { content, contentType: mediaType },
        headers: Object.fromEntries(safe.map(({ key, value }) => [key.toLowerCase(), cleanText(value)])),
        isAnonymous: true,
      },
      signal,
    )
    return response.status >= 200 && response.status < 300
      ? { kind: 'done', data: assetUrl }
      : { kind: 'rejected', message: `The storage of Linear did not take the file: HTTP ${response.status}.` }
  }
}
