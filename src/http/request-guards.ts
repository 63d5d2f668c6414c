import type { IncomingMessage } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { StudioError } from '../kernel'
import type { AppEnv } from './app-env'
import type { Caller } from './caller'

/** Rejects a request under a foreign host name, or from a page of another site, whatever its credential is. */
export const refuseMisledCaller: MiddlewareHandler<AppEnv> = (c, next) => {
  const { trust } = c.env.call
  if (trust.verdict === 'refused') throw misledCallerError(trust.reason)
  return next()
}

export function misledCallerError(reason: string): StudioError {
  return new StudioError('forbidden', reason, {
    hint: 'Use the address that studio serve prints; to allow the name of a proxy: studio serve --allow-host <name>',
  })
}

/** Checks every credential that was sent, also where the route needs none. */
export function identifyCaller(caller: Caller): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const { call, incoming } = c.env
    if (!hasCredentials(incoming)) return next()
    return caller.identify(call, incoming.headers).then((credentials) => {
      call.credentials = credentials
      return next()
    })
  }
}

export function hasCredentials({ headers }: IncomingMessage): boolean {
  return headers.authorization !== undefined || headers['x-api-key'] !== undefined
}

export const MAX_BODY_BYTES = 1024 * 1024

/** Refuses a larger body by its stated length, and one of unknown length while it is read. */
export const limitBody: MiddlewareHandler<AppEnv> = (c, next) => {
  const { headers, method } = c.env.incoming
  if (method === 'GET' || method === 'HEAD') return next()
  if (headers['transfer-encoding'] !== undefined) c.req.raw = limitWhileReading(c.req.raw)
  else if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw bodyTooLargeError()
  return next()
}

/** Reads nothing before the route does, so that the body of a refused caller takes no memory. */
function limitWhileReading(request: Request): Request {
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null
  let size = 0
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= request.body!.getReader()
        const { done, value } = await reader.read()
        if (done) return controller.close()
        size += value.byteLength
        if (size > MAX_BODY_BYTES) throw bodyTooLargeError()
        controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
  return new Request(request, { body, duplex: 'half' })
}

function bodyTooLargeError(): StudioError {
  return new StudioError('payload_too_large', 'The body is larger than 1 MiB.', { hint: 'Send it in several calls.' })
}
