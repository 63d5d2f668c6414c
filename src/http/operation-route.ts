import type { Context, Handler } from 'hono'
import {
  type AnyOperation,
  authorize,
  execute,
  executePage,
  inputError,
  type ListPage,
  mapErrorFields,
  StudioError,
  textToValues,
} from '../kernel'
import type { AppEnv, AppOptions } from './app'
import { answerPage, CURSOR_SOURCE, givesArray, takePage } from './array-page'
import { callSignal } from './call-signal'
import type { Idempotency } from './idempotency'
import { logOf } from './log-of-call'
import { ofOneVersion, watchedForRowsAlone } from './rows-alone'
import { unchanged, wholeAnswer } from './whole-answer'

type AppContext = Context<AppEnv>

export const CALL_WITHIN_MS = 30_000

export interface RouteOptions extends AppOptions {
  idempotency: Idempotency
}

export function handlerFor(
  op: AnyOperation,
  { studio, caller, stopping, log, idempotency }: RouteOptions,
): Handler<AppEnv> {
  const isRead = op.http!.method === 'get'
  return async (c) => {
    requireMediaType(op, c)
    const actor = caller.actorFor(c.env.call, op.access)
    // Whoever may not call it is not told what is wrong with the input.
    authorize(op, actor)
    requireWireNames(op, c)
    const { signal, done } = callSignal([c.req.raw.signal, stopping], op.http!.withinMs ?? CALL_WITHIN_MS)
    try {
      const { page, rest } = givesArray(op) ? takePage(sentQuery(op, c)) : { page: null, rest: null }
      const inPath = textToValues(op.input, c.req.param() as Record<string, string>)
      const watched = watchedForRowsAlone(op)
      const { value, version } = await ofOneVersion(studio.db, () =>
        idempotency(c, { op, actor }, async (db) => {
          const sent = rest ?? (await sentInput(op, c))
          const input = { ...sent, ...inPath }
          const context = { ...studio.context({ actor, signal }), log: logOf(c, log), db }
          const call = { input, source: CURSOR_SOURCE }
          return (await (page
            ? executePage(watched.op, call, context, page)
            : execute(watched.op, input, context))) as object
        }),
      )
      const { part, headers } = page
        ? answerPage(value.answer as ListPage, page)
        : { part: value.answer, headers: value.headers }
      const answer = wholeAnswer(op, part, headers)
      if (isRead && version !== null && watched.isOfRowsAlone()) c.env.call.lasting = { version, ...answer }
      const known = unchanged(answer.headers, c.req.header('if-none-match'))
      return known ? c.body(null, 304, known) : c.body(answer.text, 200, answer.headers)
    } catch (error) {
      throw withWireNames(op, error)
    } finally {
      done()
    }
  }
}

/** A call that changes sends a body; one that reads, or deletes, sends a query. */
export async function sentInput(op: AnyOperation, c: AppContext): Promise<Record<string, unknown>> {
  return takesBody(op) ? readBody(c) : sentQuery(op, c)
}

function takesBody(op: AnyOperation): boolean {
  return op.http!.method !== 'get' && op.http!.method !== 'delete'
}

/** A body of another kind is refused unread, whoever sends it. */
export function requireMediaType(op: AnyOperation, c: AppContext): void {
  const { 'content-length': length, 'content-type': type = '', 'transfer-encoding': coding } = c.env.incoming.headers
  if (!takesBody(op) || (coding === undefined && Number(length ?? 0) === 0)) return
  if (/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) return
  throw new StudioError('unsupported_media_type', 'The body must be JSON.', {
    hint: 'Send the header Content-Type: application/json',
  })
}

/**
 * A field that has a name of its own in a query is not known there by another: `facilityCode` is not `facility_code`. Beside a body
 * nothing is known: what was meant by `?dryRun=true` must not be done in earnest.
 */
export function requireWireNames(op: AnyOperation, c: AppContext): void {
  const names = op.http!.query ?? {}
  const renamed = new Set(Object.values(names))
  const isKnown = (name: string) => !takesBody(op) && !(renamed.has(name) && !(name in names))
  const unknown = Object.keys(c.req.queries()).filter((name) => !isKnown(name))
  if (unknown.length === 0) return
  const message = takesBody(op)
    ? 'is a field of the query: this call takes all in its body'
    : 'is not a field of this call'
  const details = unknown.map((path) => ({ path, message }))
  throw inputError(details, whereDescribed(op))
}

function sentQuery(op: AnyOperation, c: AppContext): Record<string, unknown> {
  const fields = new Map(Object.entries(op.http!.query ?? {}))
  const sent: Record<string, unknown> = {}
  for (const [name, values] of Object.entries(c.req.queries())) {
    sent[fields.get(name) ?? name] = values.length === 1 ? values[0] : values
  }
  return textToValues(op.input, sent)
}

async function readBody(c: AppContext): Promise<Record<string, unknown>> {
  const text = await c.req.text()
  if (text.trim() === '') return {}
  const body = parseJson(text)
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>
  throw new StudioError('invalid', 'The body must be one JSON object.', { hint: BODY_FORM })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = `The body is not valid JSON: ${(error as Error).message}`
    throw new StudioError('invalid', message, { hint: BODY_FORM, cause: error })
  }
}

const BODY_FORM = 'Send the fields as one JSON object: {"name": "value"}'

/** An error names a field as it was sent: `facility_id`, not `facilityId`. */
export function withWireNames(op: AnyOperation, error: unknown): unknown {
  if (!(error instanceof StudioError)) return error
  const names = new Map(Object.entries(op.http!.query ?? {}).map(([wire, field]) => [field, wire]))
  return mapErrorFields(error, {
    nameOf: (path) => names.get(path) ?? path,
    hint: whereDescribed(op),
  })
}

function whereDescribed(op: AnyOperation): string {
  return `See ${op.http!.path} in GET /openapi.json`
}
