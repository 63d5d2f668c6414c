import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { MiddlewareHandler } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import type { AnyOperation } from '../kernel'
import { omitFields } from '../kernel/json'
import type { AppContext, AppEnv } from './app-env'

/** An answer as JSON. That of a single thing or a list has its version as ETag, and is 304 for a caller who has that version. */
export function jsonResponse(
  c: AppContext,
  op: AnyOperation,
  value: unknown,
  more: Record<string, string> = {},
): Response {
  const text = JSON.stringify(value)
  const length = String(Buffer.byteLength(text))
  const headers: Record<string, string> = { 'Content-Type': 'application/json', 'Content-Length': length, ...more }
  if (!hasVersion(op)) return c.body(text, 200, headers)
  const { volatile } = op.http!
  const etag = createEtag(volatile ? JSON.stringify(omitFields(value as object, volatile)) : text)
  if (matchesEtag(c.req.header('if-none-match'), etag)) return c.body(null, 304, notModifiedHeaders(etag))
  return c.body(text, 200, { ...headers, ETag: etag, 'Cache-Control': REVALIDATE })
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
  return `W/"${createHash('sha1').update(text).digest('base64url')}"`
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

export const encoders: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
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
  const { status, headers } = c.res
  const plain = Buffer.from(await c.res.arrayBuffer())
  const bytes = plain.length < MIN_COMPRESSED_BYTES ? plain : await encoders[encoding](plain)
  const changed = new Headers(headers)
  changed.set('Content-Length', String(bytes.length))
  if (bytes !== plain) changed.set('Content-Encoding', encoding)
  // Otherwise Hono would merge the headers of the former response into these.
  c.res = undefined
  c.res = new Response(new Uint8Array(bytes), { status, headers: changed })
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
