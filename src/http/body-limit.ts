import type { MiddlewareHandler } from 'hono'
import { StudioError } from '../kernel'
import type { AppEnv } from './app'
import { errorResponse } from './error-response'

export const BODY_LIMIT_BYTES = 1024 * 1024

/** Refuses a larger body by what it says of its length, and one that does not say while it is read. */
export const bodyWithin: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { headers, method } = c.env.incoming
  if (method === 'GET' || method === 'HEAD') return next()
  if (headers['transfer-encoding'] !== undefined) c.req.raw = limitBody(c.req.raw)
  else if (Number(headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) return errorResponse(c, tooLarge())
  return next()
}

/** Reads nothing before the route does: the body of a caller who is refused takes no memory. */
function limitBody(request: Request): Request {
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null
  let size = 0
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= request.body!.getReader()
        const { done, value } = await reader.read()
        if (done) return controller.close()
        size += value.byteLength
        if (size > BODY_LIMIT_BYTES) throw tooLarge()
        controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
  return new Request(request, { body, duplex: 'half' })
}

function tooLarge(): StudioError {
  return new StudioError('payload_too_large', 'The body is larger than 1 MiB.', { hint: 'Send it in several calls.' })
}
