import type { Handler } from 'hono'
import { type AnyOperation, authorize, executeStream, type StreamEvent, textToValues } from '../kernel'
import type { AppEnv } from './app'
import { callSignal } from './call-signal'
import { logOf } from './log-of-call'
import { type RouteOptions, requireMediaType, requireWireNames, sentInput, withWireNames } from './operation-route'
import { PING_AFTER_MS, streamBody } from './stream-body'
import { streamFormFor } from './stream-form'

/** An answer in parts may last longer than any call; it still ends. */
const STREAM_WITHIN_MS = 60 * 60_000

type AppHandler = Handler<AppEnv>

/**
 * Answers in parts where the caller takes them, and by `whole` where it does not. The first part is awaited before the answer begins, so
 * that what is refused is refused with a status of its own.
 */
export function streamHandlerFor(op: AnyOperation, options: RouteOptions, whole: AppHandler): AppHandler {
  const { studio, caller, stopping, log } = options
  return async (c, next) => {
    const form = streamFormFor(op, c.req.header('accept'))
    if (form === null) return whole(c, next)
    requireMediaType(op, c)
    const actor = caller.actorFor(c.env.call, op.access)
    authorize(op, actor)
    requireWireNames(op, c)
    const left = new AbortController()
    const { signal, done } = callSignal(
      [c.req.raw.signal, left.signal, stopping],
      op.http!.withinMs ?? STREAM_WITHIN_MS,
    )
    try {
      const input = { ...(await sentInput(op, c)), ...textToValues(op.input, c.req.param() as Record<string, string>) }
      const events = executeStream(op, input, { ...studio.context({ actor, signal }), log: logOf(c, log) })
      const first = await events.next()
      const body = streamBody({
        events: startingWith(first, events, (error) => withWireNames(op, error)),
        form,
        requestId: c.env.call.requestId,
        pingAfterMs: PING_AFTER_MS,
        leave: () => left.abort(new DOMException('The caller has left.', 'AbortError')),
        done,
      })
      return c.body(body, 200, {
        'Content-Type': `${form.mediaType}; charset=utf-8`,
        // Said outright, the server begins at once instead of waiting whether the body will be short.
        'Transfer-Encoding': 'chunked',
        'X-Accel-Buffering': 'no',
      })
    } catch (error) {
      done()
      throw withWireNames(op, error)
    }
  }
}

function startingWith(
  first: IteratorResult<StreamEvent>,
  rest: AsyncGenerator<StreamEvent>,
  told: (error: unknown) => unknown,
): AsyncIterator<StreamEvent> {
  let taken = false
  return {
    async next() {
      if (taken)
        return rest.next().catch((error) => {
          throw told(error)
        })
      taken = true
      return first
    },
    return: () => rest.return(undefined),
  }
}
