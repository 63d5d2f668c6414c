import { asStudioError, type ErrorBody, errorBody, type StreamEvent, withoutPlaces, withPlainHint } from '../../kernel'
import { formatRequest } from '../route-table'

export const PING_AFTER_MS = 15_000

/** How the events of a stream look on the wire. */
export interface StreamFormat {
  mediaType: 'text/event-stream' | 'application/x-ndjson'
  formatEvent(event: StreamEvent): string
  formatError(body: ErrorBody): string
  /** Has no meaning, and keeps proxies from closing a quiet connection. */
  ping: string
}

export const eventStream: StreamFormat = {
  mediaType: 'text/event-stream',
  formatEvent: ({ event, ...data }) => {
    const id = typeof data['id'] === 'number' ? `id: ${data['id']}\n` : ''
    return `${id}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
  },
  formatError: (body) => `event: error\ndata: ${JSON.stringify(body)}\n\n`,
  ping: ':\n\n',
}

/** JSON lines have no comments, so the ping is an event too. */
export const jsonLines: StreamFormat = {
  mediaType: 'application/x-ndjson',
  formatEvent: (event) => `${JSON.stringify(event)}\n`,
  formatError: (body) => `${JSON.stringify({ event: 'error', ...body })}\n`,
  ping: '{"event":"ping"}\n',
}

export function streamHeaders({ mediaType }: StreamFormat) {
  return {
    'Content-Type': `${mediaType}; charset=utf-8`,
    // With this header the server sends the first event at once instead of waiting for a short body to end.
    'Transfer-Encoding': 'chunked',
    'X-Accel-Buffering': 'no',
  }
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
