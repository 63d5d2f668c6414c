import type { IncomingMessage } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { MAX_BODY_BYTES, StudioError } from '../kernel'
import { requireFewFields } from '../kernel/input/bounded-input'
import { HOOKS_PATH } from '../tracker/hooks-path'
import type { AppContext, AppEnv } from './app-env'
import type { Caller } from './callers/caller'
import type { CallerLimits } from './callers/caller-limits'

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

/** Checks every credential that was sent, even where the route needs none. The events of trackers prove themselves in ways of their own. */
export function identifyCaller(caller: Caller): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const { call, incoming } = c.env
    if (!hasCredentials(incoming) || call.path.startsWith(`${HOOKS_PATH}/`)) return next()
    return caller.identify(call, incoming.headers).then((credentials) => {
      call.credentials = credentials
      return next()
    })
  }
}

export function hasCredentials({ headers }: IncomingMessage): boolean {
  return headers.authorization !== undefined || headers['x-api-key'] !== undefined
}

/** Refuses a query with more parameters than any call takes, before anything parses it. */
export const limitQuery: MiddlewareHandler<AppEnv> = (c, next) => {
  const { url = '' } = c.env.incoming
  requireFewFields(url, 'query')
  return next()
}

/** One caller may send only a few larger ones at once. */
const LARGE_BODY_BYTES = 64 * 1024

/** Refuses a larger body by its stated length, and one of unknown length while it is read. */
export function limitBody(c: AppContext, limits: CallerLimits, maxBytes = MAX_BODY_BYTES): void {
  const { headers, method } = c.env.incoming
  if (method === 'GET' || method === 'HEAD') return
  const isChunked = headers['transfer-encoding'] !== undefined
  const bytes = isChunked ? maxBytes : Number(headers['content-length'] ?? 0)
  if (bytes > maxBytes) throw bodyTooLargeError(maxBytes)
  if (bytes > LARGE_BODY_BYTES) c.env.outgoing.once('close', limits.beginBody(c.env.call))
  if (isChunked) c.req.raw = limitWhileReading(c.req.raw, maxBytes)
}

/** Reads nothing before the route does, so that the body of a refused caller takes no memory. */
function limitWhileReading(request: Request, maxBytes: number): Request {
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null
  const maxPieces = Math.max(MAX_PIECES, Math.ceil(maxBytes / MIN_PIECE_BYTES))
  let size = 0
  let pieces = 0
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= request.body!.getReader()
        const { done, value } = await reader.read()
        if (done) return controller.close()
        size += value.byteLength
        if (size > maxBytes) throw bodyTooLargeError(maxBytes)
        if (++pieces > maxPieces) throw tooManyPiecesError(maxPieces)
        controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
  return new Request(request, { body, duplex: 'half' })
}

/** Each piece of a body costs as much as some kilobytes in one piece. A body in pieces of this size is within the limit. */
const MIN_PIECE_BYTES = 256
const MAX_PIECES = MAX_BODY_BYTES / MIN_PIECE_BYTES

function tooManyPiecesError(maxPieces: number): StudioError {
  return new StudioError('too_complex', `The body comes in more than ${maxPieces} chunks.`, {
    hint: 'Send larger chunks, or the length of the body.',
  })
}

function bodyTooLargeError(maxBytes: number): StudioError {
  const size = maxBytes < MAX_BODY_BYTES ? `${maxBytes / 1024} KiB` : `${Math.floor(maxBytes / MAX_BODY_BYTES)} MiB`
  return new StudioError('payload_too_large', `The body is larger than ${size}.`, {
    hint: maxBytes === MAX_BODY_BYTES ? 'Send it in several calls.' : 'Send only what the call takes.',
  })
}
