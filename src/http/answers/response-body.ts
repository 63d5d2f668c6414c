import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { MiddlewareHandler } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { type AnyOperation, isLong } from '../../kernel'
import { omitFields } from '../../kernel/json'
import type { AppContext, AppEnv } from '../app-env'
import { streamPieces, writeInTurns } from './large-answers'

/**
 * An answer as JSON. That of a single thing or a list has its version as ETag, and is 304 for a caller who has that version. A large one is
 * written and sent in pieces.
 */
export async function jsonResponse(
  c: AppContext,
  op: AnyOperation,
  value: unknown,
  { signal, more = {} }: { signal: AbortSignal; more?: Record<string, string> },
): Promise<Response> {
  const { body, length, hash } = await writeAnswer(value, op, signal)
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Content-Length': String(length),
    ...more,
  }
  if (hash === null) return c.body(body, 200, headers)
  const etag = `W/"${hash}"`
  if (matchesEtag(c.req.header('if-none-match'), etag)) return c.body(null, 304, notModifiedHeaders(etag))
  return c.body(body, 200, { ...headers, ETag: etag, 'Cache-Control': REVALIDATE })
}

/** A longer response is sent, and compressed, in pieces. */
const MAX_WHOLE_BYTES = 1024 * 1024

/** The hash is null where the answer has no version. */
async function writeAnswer(value: unknown, op: AnyOperation, signal: AbortSignal) {
  const versioned = hasVersion(op)
  const { volatile } = op.http!
  const lasting = versioned && volatile ? JSON.stringify(omitFields(value as object, volatile)) : null
  if (isLong(value)) {
    const { pieces, length, hash } = await writeInTurns(value, signal)
    const own = lasting === null ? hash : hashText(lasting)
    const body = length > MAX_WHOLE_BYTES ? streamPieces(pieces) : new Uint8Array(Buffer.concat(pieces))
    return { body, length, hash: versioned ? own : null }
  }
  const text = JSON.stringify(value)
  return { body: text, length: Buffer.byteLength(text), hash: versioned ? hashText(lasting ?? text) : null }
}

const REVALIDATE = 'private, no-cache'

export function notModifiedHeaders(etag: string): Record<string, string> {
  return { etag, 'cache-control': REVALIDATE }
}

export function hasVersion(op: AnyOperation): boolean {
  return op.http!.method === 'get' && (op.http!.path.includes('{') || op.listOrder !== undefined)
}

/** Weak, because it identifies the content and not its encoding. */
export function createEtag(text: string | Uint8Array): string {
  return `W/"${hashText(text)}"`
}

function hashText(text: string | Uint8Array): string {
  return createHash('sha1').update(text).digest('base64url')
}

/** RFC 9110, 13.1.2. */
export function matchesEtag(condition: string | undefined, etag: string | undefined): boolean {
  if (condition === undefined || etag === undefined) return false
  if (condition.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return [...condition.matchAll(/"[^"]*"/g)].some(([known]) => known === opaque)
}

export type Encoding = 'br' | 'gzip'

/** A smaller response fits into one packet anyway. */
export const MIN_COMPRESSED_BYTES = 1_024

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const GZIP = { level: 6 }

export const encoders: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes) => promisify(gzip)(bytes, GZIP),
}

/**
 * Compresses a whole response where the caller accepts that and it pays; never a stream, which compression would hold back. No response
 * has a secret beside what a stranger chose, so its size reveals nothing.
 */
export const compressResponse: MiddlewareHandler<AppEnv> = (c, next) => {
  const encoding = chooseEncoding(c.env.incoming.headers['accept-encoding'])
  if (encoding === null || c.req.method === 'HEAD') return next()
  return next().then(() => (isCompressible(c.res) ? compress(c, encoding) : undefined))
}

async function compress(c: AppContext, encoding: Encoding): Promise<void> {
  const { status, headers, body } = c.res
  if (Number(headers.get('content-length')) > MAX_WHOLE_BYTES) {
    const changed = new Headers(headers)
    changed.delete('Content-Length')
    changed.set('Content-Encoding', encoding)
    c.res = undefined
    c.res = new Response(compressStream(body!, encoding), { status, headers: changed })
    return
  }
  const plain = Buffer.from(await c.res.arrayBuffer())
  const bytes = plain.length < MIN_COMPRESSED_BYTES ? plain : await encoders[encoding](plain)
  const changed = new Headers(headers)
  changed.set('Content-Length', String(bytes.length))
  if (bytes !== plain) changed.set('Content-Encoding', encoding)
  // Otherwise Hono would merge the headers of the former response into these.
  c.res = undefined
  c.res = new Response(new Uint8Array(bytes), { status, headers: changed })
}

function compressStream(plain: ReadableStream, encoding: Encoding): ReadableStream<Uint8Array> {
  const encoder = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP)
  // An error, or a reader who leaves, ends both.
  pipeline(Readable.fromWeb(plain as NodeReadableStream), encoder, () => {})
  return Readable.toWeb(encoder) as ReadableStream<Uint8Array>
}

const COMPRESSIBLE_TYPES =
  /^(text\/(?!event-stream)|application\/(json|problem\+json|javascript|yaml|manifest\+json|linkset\+json)|image\/svg\+xml)/

function isCompressible({ status, headers, body }: Response): boolean {
  if (status === 304 || status === 204 || body === null || headers.has('content-encoding')) return false
  const length = headers.get('content-length')
  if (length !== null && Number(length) < MIN_COMPRESSED_BYTES) return false
  return COMPRESSIBLE_TYPES.test(headers.get('content-type') ?? '')
}

/** The encoding that the caller prefers (RFC 9110, 12.5.3), of two equal ones the smaller; null for the plain text. */
export function chooseEncoding(accept: string | undefined): Encoding | null {
  if (!accept) return null
  const weights = new Map(parseAccept(accept.toLowerCase()).map(({ type, q }) => [type, q]))
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const best: Encoding = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip'
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : null
}
