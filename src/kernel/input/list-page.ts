import * as z from 'zod'
import type { Context } from '../context'
import { execute } from '../execute'
import { parseJson } from '../json'
import type { AnyOperation } from '../operation'
import { inputError } from './input-error'
import { compareKeys, type ListOrder, type OrderValue } from './list-order'

export interface PageRequest {
  /** Null for all remaining entries. */
  limit: number | null
  /** The cursor of the previous page; null for the first page. */
  cursor: string | null
}

export interface ListPage {
  entries: readonly unknown[]
  /** The current length of the list. */
  total: number
  /** Null on the last page. */
  nextCursor: string | null
}

/** Where a page ended: the key of its last entry, and which entries with that key were returned. */
interface Position {
  key: readonly OrderValue[]
  given: readonly string[]
}

/** Whether the answer of the operation is a list that can be read in pages. */
export function givesPages(op: AnyOperation): boolean {
  return op.listOrder !== undefined
}

/**
 * The requested page of a whole list. `input` is the checked input of the call. `source` says in an error message where a cursor comes
 * from. Throws `invalid` for a cursor that belongs to no page of this list.
 */
export function pageOf(
  { op, input, source }: { op: AnyOperation; input: unknown; source: string },
  list: readonly unknown[],
  { limit, cursor }: PageRequest,
  total = list.length,
): ListPage {
  const { order, listName, after } = readPosition({ op, input, source }, cursor)
  const keyOf = (entry: unknown) => order.key?.(entry) ?? []
  const remaining = after === null ? list : entriesAfter(after, list, order)
  const entries = limit === null ? remaining : remaining.slice(0, limit)
  if (entries.length === remaining.length) return { entries, total, nextCursor: null }
  const key = keyOf(entries.at(-1))
  const isAtKey = (other: readonly OrderValue[]) => (order.compare ?? compareKeys)(other, key) === 0
  const given = [
    ...(after !== null && isAtKey(after.key) ? after.given : []),
    ...entries.filter((entry) => isAtKey(keyOf(entry))).map((entry) => digestOf(order.id(entry))),
  ]
  return { entries, total, nextCursor: writeCursor(listName, { key, given }) }
}

/** Executes an operation and returns a page of its list. Reads only the window of the page if the operation can. */
export async function executePage<Needs extends Context>(
  op: AnyOperation<Needs>,
  { input, source }: { input: unknown; source: string },
  ctx: Needs,
  request: PageRequest,
): Promise<ListPage> {
  let total: number | undefined
  const list = await execute(
    {
      ...op,
      async run(context, parsed) {
        if (!op.readWindow || request.limit === null) return op.run(context, parsed)
        const { after } = readPosition({ op, input: parsed, source }, request.cursor)
        // Entries of that key that were returned before are read again and skipped. One more shows whether another page follows.
        const count = request.limit + (after?.given.length ?? 0) + 1
        const found = await op.readWindow(context, parsed, { from: after?.key ?? null, count })
        total = found.total
        return found.entries
      },
    },
    input,
    ctx,
  )
  return pageOf({ op, input, source }, list as unknown[], request, total)
}

function readPosition(
  { op, input, source }: { op: AnyOperation; input: unknown; source: string },
  cursor: string | null,
): { order: ListOrder; listName: string; after: Position | null } {
  const order: ListOrder = op.listOrder!(op.input.parse(input))
  const listName = order.name === undefined ? op.id : `${op.id} ${order.name}`
  return { order, listName, after: cursor === null ? null : readCursor(cursor, { listName, source }) }
}

function entriesAfter(after: Position, list: readonly unknown[], order: ListOrder): unknown[] {
  const compare = order.compare ?? compareKeys
  const given = new Set(after.given)
  return list.filter((entry) => {
    const compared = compare(order.key?.(entry) ?? [], after.key)
    return compared === 0 ? !given.has(digestOf(order.id(entry))) : compared > 0
  })
}

const Cursor = z.tuple([z.string(), z.array(z.union([z.string(), z.number(), z.null()])), z.array(z.string())])

function writeCursor(listName: string, { key, given }: Position): string {
  return Buffer.from(JSON.stringify([listName, key, given])).toString('base64url')
}

function readCursor(cursor: string, { listName, source }: { listName: string; source: string }): Position {
  const parsed = Cursor.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()))
  if (!parsed.success) throw refused(`must be a cursor that ${source}, unchanged`)
  const [name, key, given] = parsed.data
  if (name !== listName)
    throw refused('belongs to another list, or to another order of this list. Start without a cursor')
  return { key, given }
}

function refused(message: string) {
  return inputError([{ path: 'cursor', message }])
}

/**
 * A short digest of 53 bits (cyrb53), so that a cursor fits into a URL even if hundreds of entries share a key. It protects nothing: a
 * caller who forges a collision hides an entry only from themselves.
 */
function digestOf(id: string | number): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (const byte of Buffer.from(String(id))) {
    high = Math.imul(high ^ byte, 2654435761)
    low = Math.imul(low ^ byte, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36)
}
