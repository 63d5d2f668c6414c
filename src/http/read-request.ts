import {
  type AnyOperation,
  givesPages,
  inputError,
  isDockAccess,
  type ListPage,
  type PageRequest,
  StudioError,
  textToValues,
} from '../kernel'
import { parseFields, requireBoundedJson } from '../kernel/input/bounded-input'
import { isRecord } from '../kernel/json'
import type { AppContext } from './app-env'

export interface RequestInput {
  input: Record<string, unknown>
  /** Null if the answer has no pages. A list is whole unless `limit` or `cursor` is sent. */
  page: PageRequest | null
}

/** The input of an operation out of the body or the query, and the path. */
export async function readInput(op: AnyOperation, c: AppContext): Promise<RequestInput> {
  const inPath = textToValues(op.input, c.req.param() as Record<string, string>)
  if (sendsBody(op)) return { input: { ...(await readBody(c)), ...inPath }, page: null }
  if (op.http!.method === 'delete') await requireNoBodyFields(op, c)
  const { limit, cursor, ...query } = readQuery(op, c)
  if (isPagedList(op)) {
    const page = {
      limit: limit === undefined ? null : parseLimit(limit),
      cursor: cursor === undefined ? null : String(cursor),
    }
    return { input: { ...query, ...inPath }, page }
  }
  const own = { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) }
  return { input: { ...query, ...own, ...inPath }, page: null }
}

export function isPagedList(op: AnyOperation): boolean {
  return op.http!.method === 'get' && givesPages(op)
}

function parseLimit(text: unknown): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 200) return limit
  throw inputError([{ path: 'limit', message: 'must be a whole number from 1 to 200' }])
}

export const CURSOR_SOURCE = 'an answer gave in X-Next-Cursor'

/** The headers that say which part of the list an array has; none where the whole list was requested. */
export function createPageHeaders({ total, nextCursor }: ListPage, page: PageRequest): Record<string, string> {
  if (page.limit === null && page.cursor === null) return {}
  const headers: Record<string, string> = { 'X-Total-Count': String(total) }
  if (nextCursor !== null) headers['X-Next-Cursor'] = nextCursor
  return headers
}

/** A call that changes something sends a body; one that reads or deletes sends a query. */
export function sendsBody(op: AnyOperation): boolean {
  return op.http!.method !== 'get' && op.http!.method !== 'delete'
}

/** Refuses a body of another kind before it is read. */
export function requireMediaType(op: AnyOperation, c: AppContext): void {
  const { 'content-length': length, 'content-type': type = '', 'transfer-encoding': coding } = c.env.incoming.headers
  if (!sendsBody(op) || (coding === undefined && Number(length ?? 0) === 0)) return
  if (/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) return
  throw new StudioError('unsupported_media_type', 'The body must be JSON.', {
    hint: 'Send the header Content-Type: application/json',
  })
}

/**
 * Refuses a query parameter under another name than its own: `facilityCode` for `facility_code`. A call with a body takes no query at
 * all, because what was meant by `?dryRun=true` must not be done for real.
 */
export function requireWireNames(op: AnyOperation, c: AppContext): void {
  const query = queryOf(c)
  if (query === '') return
  const names = op.http!.query ?? {}
  const renamed = new Set(Object.values(names))
  const isKnown = (name: string) => !sendsBody(op) && !(renamed.has(name) && !Object.hasOwn(names, name))
  const unknown = [...parseFields(query).keys()].filter((name) => !isKnown(name))
  if (unknown.length === 0) return
  const message = sendsBody(op)
    ? 'is a field of the query: this call takes all in its body'
    : 'is not a field of this call'
  throw inputError(
    unknown.map((path) => ({ path, message })),
    createReferenceHint(op),
  )
}

/** Refuses the fields of a body that nothing reads, because what was meant by `{"dryRun": true}` must not be deleted. */
async function requireNoBodyFields(op: AnyOperation, c: AppContext): Promise<void> {
  const unread = Object.keys(await readBody(c))
  if (unread.length === 0) return
  const message = 'is a field of the body: this call takes all in its query'
  throw inputError(
    unread.map((path) => ({ path, message })),
    createReferenceHint(op),
  )
}

export function createReferenceHint(op: AnyOperation): string {
  return `See ${op.http!.path} in GET /openapi.json`
}

/** The text after the question mark. */
function queryOf(c: AppContext): string {
  const [target = ''] = (c.env.incoming.url ?? '').split('#', 1)
  const start = target.indexOf('?')
  return start < 0 ? '' : target.slice(start + 1)
}

/** Names of query parameters that differ from their fields: `{ facilityId: 'facility_id' }`. */
export function wireNamesOf({ http }: AnyOperation): Record<string, string> {
  return Object.fromEntries(Object.entries(http!.query ?? {}).map(([name, field]) => [field, name]))
}

function readQuery(op: AnyOperation, c: AppContext): Record<string, unknown> {
  const fields = new Map(Object.entries(op.http!.query ?? {}))
  const query = [...parseFields(queryOf(c))].map(([name, value]) => [fields.get(name) ?? name, value] as const)
  return textToValues(op.input, Object.fromEntries(query))
}

async function readBody(c: AppContext): Promise<Record<string, unknown>> {
  const text = await c.req.text()
  if (text.trim() === '') return {}
  requireBoundedJson(text)
  const body = parseBody(text)
  if (isRecord(body)) return body
  throw new StudioError('invalid', 'The body must be one JSON object.', { hint: BODY_FORM })
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = `The body is not valid JSON: ${(error as Error).message}`
    throw new StudioError('invalid', message, { hint: BODY_FORM, cause: error })
  }
}

const BODY_FORM = 'Send the fields as one JSON object: {"name": "value"}'

/** Whether an answer of the operation is stored, to be sent again. */
export function takesIdempotencyKey({ access, http }: Pick<AnyOperation, 'access' | 'http'>): boolean {
  return isDockAccess(access) && http!.method !== 'get' && !http!.hasSecret
}
