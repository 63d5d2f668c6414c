import * as z from 'zod'
import { type AnyOperation, inputError } from '../kernel'

/** A bare array is whole unless `limit` is sent; then the headers say the rest. */
export interface Page {
  limit: number | null
  offset: number
}

export function givesArray(op: AnyOperation): boolean {
  return op.http?.method === 'get' && op.output instanceof z.ZodArray && !('limit' in op.input.shape)
}

/** Takes `limit` and `cursor` out of a query, so that the operation does not see them. */
export function takePage(query: Record<string, unknown>): { page: Page; rest: Record<string, unknown> } {
  const { limit, cursor, ...rest } = query
  return {
    page: { limit: limit === undefined ? null : limitOf(limit), offset: cursor === undefined ? 0 : offsetOf(cursor) },
    rest,
  }
}

function limitOf(text: unknown): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 200) return limit
  throw inputError([{ path: 'limit', message: 'must be a whole number from 1 to 200' }])
}

function offsetOf(cursor: unknown): number {
  const offset = /^after-(\d{1,9})$/.exec(String(cursor))
  if (offset) return Number(offset[1])
  throw inputError([{ path: 'cursor', message: 'must be one that an answer gave in X-Next-Cursor' }])
}

/** The part of the array that was asked for, and the headers that tell what it is a part of. */
export function cutPage(
  entries: readonly unknown[],
  { limit, offset }: Page,
): { part: readonly unknown[]; headers: Record<string, string> } {
  if (limit === null && offset === 0) return { part: entries, headers: {} }
  const end = limit === null ? entries.length : offset + limit
  const headers: Record<string, string> = { 'X-Total-Count': String(entries.length) }
  if (end < entries.length) headers['X-Next-Cursor'] = `after-${end}`
  return { part: entries.slice(offset, end), headers }
}
