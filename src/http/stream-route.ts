import { parseAccept } from 'hono/utils/accept'
import { type AnyOperation, executeStream } from '../kernel'
import {
  createStreamBody,
  eventStream,
  jsonLines,
  PING_AFTER_MS,
  type StreamFormat,
  streamHeaders,
} from './answers/stream-body'
import type { AppHandler } from './app-env'
import { openCall } from './operation-call'
import { authorizeRequest, type RouteOptions, toWireNames } from './operation-route'
import { readInput } from './read-request'

/** A stream may last longer than any other call; it still ends. */
const STREAM_TIMEOUT_MS = 60 * 60_000

/**
 * Answers with a stream of events where the caller accepts one, else by `whole`. The first event is awaited before the response begins,
 * so that an error before it has a status of its own.
 */
export function streamHandlerFor(op: AnyOperation, options: RouteOptions, whole: AppHandler): AppHandler {
  const { caller, streams, draining, stopping } = options
  return async (c, next) => {
    const format = chooseStreamFormat(op, c.req.header('accept'))
    if (format === null) return whole(c, next)
    const actor = authorizeRequest(op, c, caller)
    const left = new AbortController()
    const releases: (() => void)[] = []
    const done = () => {
      for (const release of releases) release()
    }
    try {
      const stream = streams.begin(c.env)
      releases.push(stream.done)
      const sources = [c.req.raw.signal, left.signal, stream.ended, op.stream!.resumeAt ? draining : stopping]
      const call = await openCall(op, c.env.call, options, { actor, sources, timeoutMs: STREAM_TIMEOUT_MS })
      releases.push(call.endTurn, call.done)
      const { input } = await readInput(op, c)
      const lastId = c.req.header('last-event-id') ?? ''
      if (op.stream!.resumeAt && /^\d{1,15}$/.test(lastId)) input[op.stream!.resumeAt] = Number(lastId)
      const events = executeStream(op, input, call.context)
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
      return c.body(body, 200, streamHeaders(format))
    } catch (error) {
      done()
      throw toWireNames(op, error)
    }
  }
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
