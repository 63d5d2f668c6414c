import { type AnyOperation, givesPages, inputError, type ListPage } from '../kernel'

/** A bare array is whole unless `limit` or `cursor` is sent; then the headers say the rest. */
export interface SentPage {
  limit: number | null
  cursor: string | null
}

export function givesArray(op: AnyOperation): boolean {
  return op.http?.method === 'get' && givesPages(op)
}

/** Takes `limit` and `cursor` out of a query, so that the operation does not see them. */
export function takePage(query: Record<string, unknown>): { page: SentPage; rest: Record<string, unknown> } {
  const { limit, cursor, ...rest } = query
  return {
    page: { limit: limit === undefined ? null : limitOf(limit), cursor: cursor === undefined ? null : String(cursor) },
    rest,
  }
}

function limitOf(text: unknown): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 200) return limit
  throw inputError([{ path: 'limit', message: 'must be a whole number from 1 to 200' }])
}

export const CURSOR_SOURCE = 'an answer gave in X-Next-Cursor'

/** The entries of a page, and the headers that say what it is a part of. */
export function answerPage(
  { entries, total, nextCursor }: ListPage,
  { limit, cursor }: SentPage,
): { part: readonly unknown[]; headers: Record<string, string> } {
  if (limit === null && cursor === null) return { part: entries, headers: {} }
  const headers: Record<string, string> = { 'X-Total-Count': String(total) }
  if (nextCursor !== null) headers['X-Next-Cursor'] = nextCursor
  return { part: entries, headers }
}
