import { parseAccept } from 'hono/utils/accept'
import {
  type AnyOperation,
  asStudioError,
  type ErrorBody,
  errorBody,
  executeStream,
  type StreamEvent,
  withoutPlaces,
  withPlainHint,
} from '../kernel'
import type { AppHandler } from './app-env'
import { callLog, createCallSignal } from './call'
import { authorizeRequest, type RouteOptions, toWireNames } from './operation-route'
import { readInput } from './read-request'
import { formatRequest } from './route-table'

/** A stream may last longer than any other call; it still ends. */
const STREAM_TIMEOUT_MS = 60 * 60_000

export const PING_AFTER_MS = 15_000

/**
 * Answers with a stream of events where the caller accepts one, else by `whole`. The first event is awaited before the response begins,
 * so that an error before it has a status of its own.
 */
export function streamHandlerFor(op: AnyOperation, options: RouteOptions, whole: AppHandler): AppHandler {
  const { studio, caller, draining, stopping, log } = options
  return async (c, next) => {
    const format = chooseStreamFormat(op, c.req.header('accept'))
    if (format === null) return whole(c, next)
    const actor = authorizeRequest(op, c, caller)
    const left = new AbortController()
    const sources = [c.req.raw.signal, left.signal, op.stream!.resumeAt ? draining : stopping]
    const { signal, done } = createCallSignal(sources, op.http!.withinMs ?? STREAM_TIMEOUT_MS)
    try {
      const { input } = await readInput(op, c)
      const lastId = c.req.header('last-event-id') ?? ''
      if (op.stream!.resumeAt && /^\d{1,15}$/.test(lastId)) input[op.stream!.resumeAt] = Number(lastId)
      const context = { ...studio.context({ actor, signal }), log: callLog(c.env.call, log) }
      const events = executeStream(op, input, context)
      const first = await events.next()
      const body = createStreamBody({
        first,
        events,
        toReported: (error) => toWireNames(op, error),
        format,
        requestId: c.env.call.requestId,
        pingAfterMs: PING_AFTER_MS,
        cancel: () => left.abort(new DOMException('The caller has left.', 'AbortError')),
        done,
      })
      return c.body(body, 200, {
        'Content-Type': `${format.mediaType}; charset=utf-8`,
        // With this header the server sends the first event at once instead of waiting for a short body to end.
        'Transfer-Encoding': 'chunked',
        'X-Accel-Buffering': 'no',
      })
    } catch (error) {
      done()
      throw toWireNames(op, error)
    }
  }
}

/** How the events of a stream look on the wire. */
export interface StreamFormat {
  mediaType: 'text/event-stream' | 'application/x-ndjson'
  formatEvent(event: StreamEvent): string
  formatError(body: ErrorBody): string
  /** Has no meaning, and keeps proxies from closing a quiet connection. */
  ping: string
}

const eventStream: StreamFormat = {
  mediaType: 'text/event-stream',
  formatEvent: ({ event, ...data }) => {
    const id = typeof data['id'] === 'number' ? `id: ${data['id']}\n` : ''
    return `${id}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
  },
  formatError: (body) => `event: error\ndata: ${JSON.stringify(body)}\n\n`,
  ping: ':\n\n',
}

/** JSON lines have no comments, so the ping is an event too. */
const jsonLines: StreamFormat = {
  mediaType: 'application/x-ndjson',
  formatEvent: (event) => `${JSON.stringify(event)}\n`,
  formatError: (body) => `${JSON.stringify({ event: 'error', ...body })}\n`,
  ping: '{"event":"ping"}\n',
}

/** The stream format that the caller prefers; null where it gets the whole answer at once. */
export function chooseStreamFormat(op: AnyOperation, accept: string | undefined): StreamFormat | null {
  if (!op.stream) return null
  for (const { type, q } of parseAccept((accept ?? '*/*').toLowerCase())) {
    if (q === 0) break
    if (type === 'text/event-stream') return eventStream
    if (type === 'application/x-ndjson' || type === 'application/ndjson') return jsonLines
    if (type === 'application/json' || type === 'application/problem+json') return null
  }
  return op.stream.byDefault ? eventStream : null
}

interface StreamSource {
  /** The first event if it was requested before. */
  first?: IteratorResult<StreamEvent>
  events: AsyncIterator<StreamEvent>
  toReported?(error: unknown): unknown
  format: StreamFormat
  requestId: string
  pingAfterMs: number
  /** Ends the work behind the events, because the reader has left. */
  cancel(): void
  /** Called once, when the last byte was handed over or the reader has left. */
  done(): void
}

/** The events as bytes. The next event is asked for when the one before it has left, so that a slow reader slows its source down. */
export function createStreamBody(source: StreamSource): ReadableStream<Uint8Array> {
  const { first, events, toReported = (error) => error, format, requestId, pingAfterMs, cancel, done } = source
  const encoder = new TextEncoder()
  let awaited = first ? Promise.resolve(first) : null
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const send = (text: string) => controller.enqueue(encoder.encode(text))
        awaited ??= events.next()
        try {
          const next = await orTimeout(awaited, pingAfterMs)
          if (next === 'timeout') return send(format.ping)
          awaited = null
          if (!next.done) return send(format.formatEvent(next.value))
        } catch (error) {
          const known = await withPlainHint(withoutPlaces(asStudioError(toReported(error))), formatRequest)
          send(format.formatError(errorBody(known, requestId)))
        }
        controller.close()
        done()
      },
      async cancel() {
        cancel()
        done()
        // An error that the source throws while it ends has no reader any more.
        await awaited?.catch(() => {})
        await events.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

async function orTimeout<Next>(awaited: Promise<Next>, afterMs: number): Promise<Next | 'timeout'> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), afterMs)
  })
  try {
    return await Promise.race([awaited, timeout])
  } finally {
    clearTimeout(timer)
  }
}
