import type { Context } from 'hono'
import { asStudioError, errorBody, httpStatusOf } from '../kernel'
import type { Variables } from './app'

type AppContext = Context<{ Variables: Variables }>

/** The error body, or the same facts as RFC 9457 where the caller asks for `application/problem+json`. */
export function errorResponse(c: AppContext, error: unknown): Response {
  const known = asStudioError(error)
  const status = httpStatusOf(known.code)
  const body = errorBody(known, c.get('requestId') ?? null)
  if (status === 401) c.header('WWW-Authenticate', 'Bearer realm="studio"')
  if (known.retryAfterSeconds !== null) c.header('Retry-After', String(Math.ceil(known.retryAfterSeconds)))
  if (!c.req.header('accept')?.includes('application/problem+json')) return c.json(body, status as 400)
  const { message, status: _, ...facts } = body
  const problem = { type: 'about:blank', title: known.code, status, detail: message, ...facts }
  return c.body(JSON.stringify(problem), status as 400, { 'Content-Type': 'application/problem+json' })
}
