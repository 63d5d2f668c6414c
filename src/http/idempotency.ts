import { IdempotencyStore } from '../access'
import { type Actor, type AnyOperation, inputError } from '../kernel'
import { isRecord, parseJson } from '../kernel/json'
import type { Database } from '../storage'
import type { AppContext } from './app-env'
import { takesIdempotencyKey } from './read-request'

/** Returns the first answer again to a call with a known Idempotency-Key. */
export type Idempotency = (
  c: AppContext,
  call: { op: AnyOperation; actor: Actor },
  run: (db: Database) => Promise<object>,
) => Promise<{ answer: object; headers: Record<string, string> }>

export function createIdempotency(db: Database): Idempotency {
  const store = new IdempotencyStore(db, { now: () => Date.now() })
  return async (c, { op, actor }, run) => {
    const key = c.req.header('idempotency-key')
    if (key === undefined || actor.kind !== 'dock' || !takesIdempotencyKey(op))
      return { answer: await run(db), headers: {} }
    requireKey(key)
    // Another carrier must not get the recorded answer.
    const tenantId = actor.carrier === null ? actor.tenantId : JSON.stringify([actor.tenantId, actor.carrier])
    const content = JSON.stringify([new URL(c.req.url).search, await normalizeBody(c)])
    const call = { tenantId, method: c.req.method, path: c.req.path, key, content }
    const { answer, isReplay } = await store.call(call, run, (value) => op.output.parse(value))
    const headers: Record<string, string> = isReplay ? { 'Idempotent-Replayed': 'true' } : {}
    return { answer: answer as object, headers }
  }
}

function requireKey(key: string): void {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return
  throw inputError([{ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters, as a UUID' }])
}

/** The body without differences that JSON ignores: whitespace, and the order of an object's fields. */
async function normalizeBody(c: AppContext): Promise<unknown> {
  const text = await c.req.text()
  const body = parseJson(text)
  if (body === undefined) return text
  return JSON.stringify(body, (_, value) => (isRecord(value) ? sortFields(value) : value))
}

function sortFields(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}
