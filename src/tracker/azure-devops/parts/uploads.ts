import * as z from 'zod'
import { toOutcome } from '../../services/change-result'
import { TrackerError } from '../../services/requests/tracker-error'
import type { AttachmentOutcome, AttachmentWriter, NewAttachment, UploadContent } from '../../tracker'
import type { AdapterParts } from '../item-reader'
import { buildProjectPath } from '../urls'
import { isGuid, parseAttachmentUrl } from './attachment-address'
import { listAttachments } from './attachments'
import { changeRelations, type RelationOperation } from './change-relations'

const MEBIBYTE = 1024 * 1024
/** What the hosted service takes. A server of your own has its own setting. */
const MAX_HOSTED_BYTES = 60 * MEBIBYTE
/** A larger file is sent in chunks, as the tracker demands. */
export const UPLOAD_SIZES = { whole: 130 * 1000 * 1000, chunk: 16 * MEBIBYTE }
const CONTENT_TYPE = 'application/octet-stream'

const WireReference = z.object({ id: z.string().refine(isGuid), url: z.string() })

/**
 * Attaches files: sends the content, which no one sees yet, and then adds the relation to it. Content that was sent to no avail does no
 * harm, so it is sent again after a transient error. The relation is added once.
 */
export function createAttachmentWriter(
  parts: AdapterParts,
  { isHosted, sizes = UPLOAD_SIZES }: { isHosted: boolean; sizes?: typeof UPLOAD_SIZES },
): AttachmentWriter {
  return {
    maxBytes: isHosted ? MAX_HOSTED_BYTES : null,
    async add(file, signal) {
      const project = await parts.project.get(signal)
      await parts.reader.readWire(file.itemId, signal)
      const { content, name } = file
      const sent =
        content.size > sizes.whole
          ? await sendInChunks(file, sizes.chunk, project, signal, parts)
          : await sendContent({ query: { fileName: name }, content }, project, signal, parts)
      if (isRejected(sent)) return sent
      return attach(file, sent, project, signal, parts)
    },
  }
}

type Reference = z.output<typeof WireReference>
type Rejected = Extract<AttachmentOutcome, { status: 'rejected' }>

function isRejected(sent: Reference | Rejected): sent is Rejected {
  return 'status' in sent
}

async function attach(
  { itemId, name }: NewAttachment,
  { id, url }: Reference,
  project: string,
  signal: AbortSignal,
  parts: AdapterParts,
): Promise<AttachmentOutcome> {
  const value = { rel: 'AttachedFile', url, attributes: { name, comment: '' } }
  const outcome = await changeRelations(
    {
      itemId,
      plan: (relations): RelationOperation[] | null =>
        relations.some((relation) => parseAttachmentUrl(relation.url)?.id === id.toLowerCase())
          ? null
          : [{ op: 'add', path: '/relations/-', value }],
    },
    signal,
    parts,
  )
  if (outcome.status !== 'done') return outcome
  const relations = [...outcome.relations]
  const attachment = listAttachments({ relations, fields: {} }, project, [parts.address.base]).find(
    (one) => one.id === id.toLowerCase(),
  )
  return attachment
    ? { status: 'added', attachment }
    : { status: 'unknown', message: 'The response of the tracker does not show the file.' }
}

interface Upload {
  query: Record<string, string>
  content: UploadContent
}

async function sendContent(
  { query, content }: Upload,
  project: string,
  signal: AbortSignal,
  parts: AdapterParts,
): Promise<Reference | Rejected> {
  const path = buildProjectPath(project, '_apis/wit/attachments')
  const request = { method: 'POST', path, query, upload: { content, contentType: CONTENT_TYPE } } as const
  return send(request, signal, parts)
}

/** Each chunk begins where the last one ended, and an upload that fails begins again. */
async function sendInChunks(
  { name, content }: NewAttachment,
  chunkBytes: number,
  project: string,
  signal: AbortSignal,
  parts: AdapterParts,
): Promise<Reference | Rejected> {
  const query = { fileName: name, uploadType: 'chunked' }
  const begun = await sendContent({ query, content: EMPTY }, project, signal, parts)
  if (isRejected(begun)) return begun
  const path = buildProjectPath(project, `_apis/wit/attachments/${begun.id}`)
  let from = 0
  for await (const chunk of readChunks(content, chunkBytes)) {
    const headers = { 'content-range': `bytes ${from}-${from + chunk.length - 1}/${content.size}` }
    const upload = { content: toContent(chunk), contentType: CONTENT_TYPE }
    const sent = await send({ method: 'PUT', path, query: { fileName: name }, headers, upload }, signal, parts, begun)
    if (isRejected(sent)) return sent
    from += chunk.length
  }
  if (from !== content.size) throw new TrackerError('invalid', `The file ${name} has changed while it was sent.`)
  return begun
}

const EMPTY: UploadContent = toContent(Buffer.alloc(0))

function toContent(bytes: Buffer): UploadContent {
  return {
    size: bytes.length,
    async *open() {
      yield bytes
    },
  }
}

/** Chunks of one size, and a smaller last one. */
async function* readChunks(content: UploadContent, size: number): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = []
  let length = 0
  for await (const part of content.open()) {
    let rest = part
    while (rest.length > 0) {
      const taken = rest.subarray(0, size - length)
      pending.push(taken)
      length += taken.length
      rest = rest.subarray(taken.length)
      if (length < size) continue
      yield Buffer.concat(pending)
      pending = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.concat(pending)
}

/** Sends a part of an upload. `known` is what a response without a body means. Throws if it failed, which attaches nothing. */
async function send(
  request: Parameters<AdapterParts['client']['write']>[0],
  signal: AbortSignal,
  { client }: AdapterParts,
  known?: Reference,
): Promise<Reference | Rejected> {
  for (let attempt = 1; ; attempt += 1) {
    const { response, error } = await client.write(request, signal).catch((error: unknown) => {
      if (!(error instanceof TrackerError)) throw error
      return { response: null, error }
    })
    if (response !== null && error === null) {
      const parsed = WireReference.safeParse(response.json)
      if (parsed.success) return parsed.data
      if (known) return known
      throw new TrackerError('tracker_answer', 'The response of the tracker to an upload has an unexpected shape.')
    }
    const status = response?.status ?? 0
    if ([400, 413].includes(status)) return toOutcome({ kind: 'rejected', message: error!.message })
    // A chunk that may have arrived does not fit a second time.
    const canRepeat = request.method === 'POST' && error!.isTransient && attempt < client.limits.maxAttempts
    if (!canRepeat) throw withoutEffect(error!)
    await client.pause(attempt, signal)
  }
}

/** Nothing is attached, whatever arrived of the content. */
function withoutEffect(error: TrackerError): TrackerError {
  const { code, message, hint } = error
  return new TrackerError(code, message, { hint: hint ?? undefined, cause: error, effect: 'none' })
}
