import type { Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import type { ContentStream, StreamPosition } from '../../tracker-parts'
import type { TrackerAddress } from '../tracker-address'
import type { HttpRequest, OpenedResponse, ResponseHead } from './http-client'
import { TrackerError } from './tracker-error'

const MAX_REDIRECTS = 5

/**
 * Opens content, which trackers often keep on another host, and follows redirects there. Another host gets no credential, and must be
 * reached as safely as the tracker: with TLS, if the tracker is.
 */
export async function followRedirect(
  first: HttpRequest,
  { from, version }: StreamPosition,
  { address, open }: { address: TrackerAddress; open(request: HttpRequest): Promise<OpenedResponse> },
): Promise<OpenedResponse> {
  const headers = {
    accept: '*/*',
    // Without it, the bytes of a range would be those of the compressed content.
    'accept-encoding': 'identity',
    ...(from > 0 && version !== null && { range: `bytes=${from}-`, 'if-range': version.replace(SIZE, '') }),
  }
  let request: HttpRequest = { ...first, headers }
  for (let redirects = 0; ; redirects += 1) {
    const opened = await open(request)
    const isRedirect = opened.kind === 'complete' && [301, 302, 303, 307, 308].includes(opened.response.status)
    if (!isRedirect) return opened
    const base = `${request.base ?? address.base}${request.path}`
    const { location } = opened.response
    if (location === null || !URL.canParse(location, base) || redirects === MAX_REDIRECTS) return opened
    const target = new URL(location, base)
    const origin = new URL(address.base)
    // A page to sign in says that the credential was not accepted.
    if (/\/_?sign_?in\b|\/login\b|\/sso\b/i.test(target.pathname)) return opened
    if (target.protocol !== 'https:' && target.protocol !== origin.protocol)
      throw new TrackerError(
        'tracker_answer',
        `The tracker redirects to ${target.host} without TLS, which is not followed.`,
      )
    // What another host names is not the choice of the tracker, so it is read without the credential, even on the tracker's own host.
    const isAnonymous = request.isAnonymous === true || target.origin !== origin.origin
    request = { method: 'GET', base: target.origin, path: `${target.pathname}${target.search}`, isAnonymous, headers }
  }
}

/** The stream of an answer; null if it continues another version than that of the bytes before. */
export function toContentStream(
  { head, body, fail }: Extract<OpenedResponse, { kind: 'stream' }>,
  position: StreamPosition,
): ContentStream | null {
  const { header, status } = head
  const encoding = (header('content-encoding') ?? 'identity').trim().toLowerCase()
  const isPlain = encoding === '' || encoding === 'identity'
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header('content-range') ?? '') ?? []
  const from = status === 206 ? Number(start) : 0
  const length = status === 206 ? total : header('content-length')
  const size = isPlain && length != null && /^\d+$/.test(length) ? Number(length) : null
  const version = isPlain ? findVersion(head, size) : null
  if (status === 206 && (from !== position.from || !isPlain || version !== position.version)) {
    leave(body)
    return null
  }
  return {
    from,
    size,
    version,
    mediaType: (header('content-type') ?? '').split(';')[0]!.trim().toLowerCase() || null,
    chunks: readChunks(isPlain ? body : decompress(body, encoding), fail),
  }
}

/** The size at the end of a version that is a time. */
const SIZE = / \d+$/

/** A weak tag does not identify bytes. A time counts seconds alone, so it does so only together with the size. */
function findVersion({ header }: ResponseHead, size: number | null): string | null {
  const tag = header('etag')
  if (tag?.startsWith('"')) return tag
  const changedAt = header('last-modified')
  return changedAt === null || size === null ? null : `${changedAt} ${size}`
}

/** Bytes come out as they are read, so their reader decides how many are too many. */
function decompress(body: Readable, encoding: string): Readable {
  const unpacking = encoding === 'br' ? createBrotliDecompress() : createUnzip()
  body.on('error', (error) => unpacking.destroy(error))
  unpacking.on('close', () => body.destroy())
  return body.pipe(unpacking)
}

async function* readChunks(body: Readable, fail: (error: unknown) => TrackerError): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk
  } catch (error) {
    throw toCutError(fail(error))
  } finally {
    leave(body)
  }
}

/** Content that was cut off can be continued, so it is no answer that cannot be used. */
function toCutError(error: TrackerError): TrackerError {
  if (error.code !== 'tracker_answer' || !error.isTransient) return error
  const { message, hint, effect } = error
  return new TrackerError('tracker_unavailable', message, {
    hint: hint ?? undefined,
    cause: error,
    effect,
    isTransient: true,
  })
}

/** Ends a stream before its end, which is no error. */
function leave(body: Readable): void {
  body.on('error', () => {})
  body.destroy()
}
