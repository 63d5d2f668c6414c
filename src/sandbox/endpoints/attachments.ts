import { randomUUID } from 'node:crypto'
import type { EndpointCall } from '../http/endpoint'
import type { StoredAttachment } from '../state/state'
import { Created, createBadRequestError, FileContent, WireError } from '../wire/response'

/** Stores a file without attaching it: a relation of an item does that. An upload in chunks begins with an empty body. */
export function postAttachment(call: EndpointCall) {
  const { model, query, bytes, now } = call
  if (!/^application\/octet-stream\b/i.test(call.contentType)) {
    throw new WireError(
      415,
      'VssRequestContentTypeNotSupportedException',
      `The request indicated a Content-Type of "${call.contentType}" for method type "POST" which is not supported. Valid content types for this method are: application/octet-stream.`,
    )
  }
  const id = randomUUID()
  const name = query.text('fileName') ?? id
  const isChunked = query.text('uploadType')?.toLowerCase() === 'chunked'
  const content = isChunked ? Buffer.alloc(0) : bytes
  const at = new Date(now).toISOString()
  const chunks = isChunked ? [] : [content.toString('base64')]
  model.storeAttachment({ id, name, at, chunks, received: content.length, size: isChunked ? -1 : content.length })
  return new Created(toReference(id, name, call))
}

/** Adds a chunk, which begins where the last one ended. */
export function putAttachmentChunk(call: EndpointCall) {
  const { model, bytes, contentRange } = call
  const attachment = findAttachment(call)
  const { chunks, received } = attachment
  const [, first, last, size] = /^bytes (\d{1,12})-(\d{1,12})\/(\d{1,12})$/.exec(contentRange ?? '') ?? []
  const isNext = Number(first) === received && Number(last) - Number(first) + 1 === bytes.length
  if (size === undefined || !isNext || Number(last) >= Number(size))
    throw createBadRequestError(`The Content-Range header '${contentRange}' is not valid for this upload.`)
  model.storeAttachment({
    ...attachment,
    chunks: [...chunks, bytes.toString('base64')],
    received: received + bytes.length,
    size: Number(size),
  })
  return toReference(attachment.id, attachment.name, call)
}

export function readAttachment(call: EndpointCall) {
  const { query } = call
  const attachment = findAttachment(call)
  const name = query.text('fileName') ?? attachment.name
  const kind = query.flag('download') ? 'attachment' : 'inline'
  return new FileContent(Buffer.concat(attachment.chunks.map((chunk) => Buffer.from(chunk, 'base64'))), {
    'content-type': 'application/octet-stream',
    'content-disposition': `${kind}; filename*=UTF-8''${encodeURIComponent(name)}`,
  })
}

function findAttachment({ model, params }: EndpointCall): StoredAttachment {
  const found = model.attachment(params.id!)
  if (found) return found
  throw new WireError(
    404,
    'AttachmentNotFoundException',
    `TF237111: The attachment ${params.id} does not exist, or you do not have permissions to read it.`,
  )
}

function toReference(id: string, name: string, { base, model }: EndpointCall) {
  return { id, url: `${base}/${model.project.id}/_apis/wit/attachments/${id}?fileName=${encodeURIComponent(name)}` }
}
