import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { decodePart } from '../../../kernel/text/text'
import { sendOnceAs, toOutcome } from '../../services/change-result'
import { collectFiles, findLinkLabel, sendFile } from '../../services/parts/text-files'
import { cleanText } from '../../services/requests/response-errors'
import { TrackerError } from '../../services/requests/tracker-error'
import type { AttachmentOutcome, AttachmentReader, AttachmentWriter, NewAttachment, Rejection } from '../../tracker'
import type { LinearClient } from '../linear-client'
import { toPerson } from '../map-issue'
import type { WireUser } from '../wire-issue'
import { readThread } from './comments'
import { ATTACHMENT, readAttachments } from './web-links'

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
      const toAuthor = (user: WireUser | null | undefined) => (user ? toPerson(user) : null)
      const linked = issue.attachments.filter(({ url }) => url.startsWith(filesBase))
      const files = collectFiles([
        ...linked.map(({ url, title: name, creator, createdAt }) => {
          return { author: toAuthor(creator), createdAt, files: [{ id: url, name, url }] }
        }),
        {
          author: toAuthor(issue.creator),
          createdAt: issue.createdAt,
          files: findFiles(issue.description ?? '', filesBase),
        },
        ...comments.map(({ comment: { text, author, createdAt } }) => {
          return { author, createdAt, files: findFiles(text.text, filesBase) }
        }),
      ])
      return files.sort((a, b) => (a.createdAt! < b.createdAt! ? -1 : 1))
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
function findFiles(text: string, filesBase: string): { id: string; url: string; name: string }[] {
  const files: { id: string; url: string; name: string }[] = []
  for (let at = text.indexOf(filesBase); at !== -1; at = text.indexOf(filesBase, at + 1)) {
    const [url = ''] = /^[^\s"'<>()[\]\\]{1,1000}/.exec(text.slice(at, at + 1000)) ?? []
    files.push({ id: url, url, name: findLinkLabel(text, at) || decodePart(url.split('/').at(-1) ?? '') })
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
      const { name, mediaType, content } = file
      const place = { id: url, url, author: null, createdAt: null }
      return sendOnceAs(
        sending,
        find,
        (): AttachmentOutcome => ({ status: 'added', attachment: { ...place, name, mediaType, size: content.size } }),
        { signal, limits: linear.limits },
      )
    },
  }

  /** Returns the address of the stored file. */
  async function store(
    { name, mediaType, content }: NewAttachment,
    signal: AbortSignal,
  ): Promise<{ kind: 'done'; data: string } | ({ kind: 'rejected' } & Rejection)> {
    const args = {
      contentType: ['String!', mediaType],
      filename: ['String!', name],
      size: ['Int!', content.size],
    } as const
    const select = 'uploadFile { uploadUrl assetUrl headers { key value } }'
    const prepared = await sendFile(
      () => linear.change('fileUpload', args, { select, shape: WireUpload }, signal),
      signal,
    )
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
