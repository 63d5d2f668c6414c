import { createHash } from 'node:crypto'
import type { AnyOperation } from '../kernel'
import type { AppContext } from './app-env'

/** An answer as JSON. That of a single thing has its version as ETag, and is 304 for a caller who has that version. */
export function jsonResponse(
  c: AppContext,
  op: AnyOperation,
  value: unknown,
  more: Record<string, string> = {},
): Response {
  const text = JSON.stringify(value)
  const length = String(Buffer.byteLength(text))
  const headers: Record<string, string> = { 'Content-Type': 'application/json', 'Content-Length': length, ...more }
  if (!isSingleResource(op)) return c.body(text, 200, headers)
  const { volatile } = op.http!
  const etag = createEtag(volatile ? JSON.stringify(omitFields(value as object, volatile)) : text)
  if (matchesEtag(c.req.header('if-none-match'), etag)) return c.body(null, 304, notModifiedHeaders(etag))
  return c.body(text, 200, { ...headers, ETag: etag, 'Cache-Control': REVALIDATE })
}

const REVALIDATE = 'private, no-cache'

export function notModifiedHeaders(etag: string): Record<string, string> {
  return { etag, 'cache-control': REVALIDATE }
}

export function isSingleResource(op: AnyOperation): boolean {
  return op.http!.method === 'get' && op.http!.path.includes('{')
}

function omitFields(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}

/** Weak, because it identifies the content and not its encoding. */
function createEtag(text: string): string {
  return `W/"${createHash('sha1').update(text).digest('base64url')}"`
}

/** RFC 9110, 13.1.2. */
export function matchesEtag(condition: string | undefined, etag: string | undefined): boolean {
  if (condition === undefined || etag === undefined) return false
  if (condition.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return [...condition.matchAll(/"[^"]*"/g)].some(([known]) => known === opaque)
}
