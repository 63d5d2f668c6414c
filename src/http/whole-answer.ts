import { createHash } from 'node:crypto'
import type { AnyOperation } from '../kernel'

/** An answer as JSON, to be sent. */
export interface WholeAnswer {
  text: string
  headers: Record<string, string>
}

/** That of one thing carries its version. */
export function wholeAnswer(op: AnyOperation, value: unknown, more?: Record<string, string>): WholeAnswer {
  const text = JSON.stringify(value)
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
    ...more,
  }
  if (!showsOneThing(op)) return { text, headers }
  const { volatile } = op.http!
  const version = versionOf(volatile ? JSON.stringify(without(value as object, volatile)) : text)
  return { text, headers: { ...headers, ETag: version, 'Cache-Control': 'private, no-cache' } }
}

/** What is sent instead of an answer that the caller has already; null where it has not. */
export function unchanged(
  headers: Readonly<Record<string, string>>,
  condition: string | undefined,
): Record<string, string> | null {
  const { ETag, 'Cache-Control': control } = headers
  return ETag !== undefined && isKnown(condition, ETag) ? { ETag, 'Cache-Control': control! } : null
}

/** Whose answer carries a version. */
export function showsOneThing(op: AnyOperation): boolean {
  return op.http!.method === 'get' && op.http!.path.includes('{')
}

function without(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}

/** Weak: it tells what is said, not how it was packed on the way. */
function versionOf(text: string): string {
  return `W/"${createHash('sha1').update(text).digest('base64url')}"`
}

/** RFC 9110, 13.1.2. */
export function isKnown(condition: string | undefined, version: string): boolean {
  if (condition === undefined) return false
  if (condition.trim() === '*') return true
  const opaque = version.replace(/^W\//, '')
  return [...condition.matchAll(/"[^"]*"/g)].some(([known]) => known === opaque)
}
