import type { Context, Handler } from 'hono'
import { type AnyOperation, type ErrorDetail, execute, StudioError, textToValues } from '../kernel'
import type { AppOptions, Variables } from './app'

type AppContext = Context<{ Variables: Variables }>

/** `/api/devops/items/{id}` as the router writes it. */
export function routePath(op: AnyOperation): string {
  return op.http!.path.replace(/\{(\w+)\}/g, ':$1')
}

/** Every route path with the methods that it knows. */
export function allowedMethods(operations: readonly AnyOperation[]): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const op of operations) {
    const path = routePath(op)
    const own = methods.get(path) ?? []
    own.push(op.http!.method.toUpperCase())
    if (op.http!.method === 'get') own.push('HEAD')
    methods.set(path, own)
  }
  return methods
}

export function handlerFor(op: AnyOperation, { studio, caller }: AppOptions): Handler<{ Variables: Variables }> {
  return async (c) => {
    const actor = await caller.actorFor(c, op.access)
    const context = studio.context({ actor, signal: c.req.raw.signal })
    const input = { ...(await sentInput(op, c)), ...textToValues(op.input, c.req.param() as Record<string, string>) }
    try {
      return c.json((await execute(op, input, context)) as object)
    } catch (error) {
      throw inWireNames(op, error)
    }
  }
}

/** A call that changes sends a body; one that reads, or deletes, sends a query. */
async function sentInput(op: AnyOperation, c: AppContext): Promise<Record<string, unknown>> {
  const { method, query = {} } = op.http!
  if (method !== 'get' && method !== 'delete') return readBody(c)
  const sent: Record<string, unknown> = {}
  for (const [name, values] of Object.entries(c.req.queries())) {
    sent[query[name] ?? name] = values.length === 1 ? values[0] : values
  }
  return textToValues(op.input, sent)
}

async function readBody(c: AppContext): Promise<Record<string, unknown>> {
  const text = await c.req.text()
  if (text.trim() === '') return {}
  const type = c.req.header('content-type') ?? ''
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new StudioError('unsupported_media_type', 'The body must be JSON.', {
      hint: 'Send the header Content-Type: application/json',
    })
  }
  const body = parseJson(text)
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>
  throw new StudioError('invalid', 'The body must be one JSON object.')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new StudioError('invalid', `The body is not valid JSON: ${(error as Error).message}`, { cause: error })
  }
}

/** A refusal names a field as it was sent: `facility_id`, not `facilityId`. */
function inWireNames(op: AnyOperation, error: unknown): unknown {
  const names = Object.entries(op.http!.query ?? {})
  if (!(error instanceof StudioError) || error.details.length === 0 || names.length === 0) return error
  const wireName = (path: string) => names.find(([, field]) => field === path)?.[0] ?? path
  let message = error.message
  const details: ErrorDetail[] = error.details.map((detail) => {
    const path = wireName(detail.path)
    if (path !== detail.path) message = message.replace(`${detail.path}: `, `${path}: `)
    return { ...detail, path }
  })
  const { hint, cause, retryAfterSeconds } = error
  return new StudioError(error.code, message, {
    hint: hint ?? undefined,
    details,
    cause,
    retryAfterSeconds: retryAfterSeconds ?? undefined,
  })
}
