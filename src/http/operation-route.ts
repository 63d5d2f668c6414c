import type { Context, Handler } from 'hono'
import { type AnyOperation, execute, inputError, retold, StudioError, textToValues } from '../kernel'
import type { AppOptions, Variables } from './app'
import { cutPage, givesArray, takePage } from './array-page'
import { callSignal } from './call-signal'

type AppContext = Context<{ Variables: Variables }>

const CALL_WITHIN_MS = 30_000

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

export function handlerFor(
  op: AnyOperation,
  { studio, caller, stopping }: AppOptions,
): Handler<{ Variables: Variables }> {
  return async (c) => {
    const actor = await caller.actorFor(c, op.access)
    const { signal, done } = callSignal([c.req.raw.signal, stopping], CALL_WITHIN_MS)
    try {
      const { page, rest } = givesArray(op) ? takePage(sentQuery(op, c)) : { page: null, rest: await sentInput(op, c) }
      const input = { ...rest, ...textToValues(op.input, c.req.param() as Record<string, string>) }
      const answer = (await execute(op, input, studio.context({ actor, signal }))) as object
      if (!page) return c.json(answer)
      const { part, headers } = cutPage(answer as unknown[], page)
      return c.json(part as unknown[], 200, headers)
    } catch (error) {
      throw inWireNames(op, error)
    } finally {
      done()
    }
  }
}

/** A call that changes sends a body; one that reads, or deletes, sends a query. */
async function sentInput(op: AnyOperation, c: AppContext): Promise<Record<string, unknown>> {
  const { method } = op.http!
  return method === 'get' || method === 'delete' ? sentQuery(op, c) : readBody(c)
}

function sentQuery(op: AnyOperation, c: AppContext): Record<string, unknown> {
  const fields = new Map(Object.entries(op.http!.query ?? {}))
  const renamed = new Set(fields.values())
  const sent: Record<string, unknown> = {}
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (renamed.has(name) && !fields.has(name))
      throw inputError([{ path: name, message: 'is not a field of this call' }])
    sent[fields.get(name) ?? name] = values.length === 1 ? values[0] : values
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
  if (!(error instanceof StudioError)) return error
  const names = new Map(Object.entries(op.http!.query ?? {}).map(([wire, field]) => [field, wire]))
  return retold(error, (path) => names.get(path) ?? path, `See ${op.http!.path} in GET /openapi.json`)
}
