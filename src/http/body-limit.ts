import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { StudioError } from '../kernel'
import type { AppEnv } from './app'
import { errorResponse } from './error-response'

export const BODY_LIMIT_BYTES = 1024 * 1024

const whileReading = bodyLimit({ maxSize: BODY_LIMIT_BYTES, onError: (c) => errorResponse(c, tooLarge()) })

/** Refuses a larger body by what it says of its length, and one that does not say while it is read. */
export const bodyWithin: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { headers, method } = c.env.incoming
  if (method === 'GET' || method === 'HEAD') return next()
  if (headers['transfer-encoding'] !== undefined) return whileReading(c, next)
  if (Number(headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) return errorResponse(c, tooLarge())
  return next()
}

function tooLarge(): StudioError {
  return new StudioError('payload_too_large', 'The body is larger than 1 MiB.', { hint: 'Send it in several calls.' })
}
