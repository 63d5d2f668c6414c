import { createStreamBody, eventStream, PING_AFTER_MS, streamHeaders } from '../http/answers/stream-body'
import { type AnyOperation, asStudioError, type StreamEvent, withoutPlaces } from '../kernel'
import type { ConsoleCall } from './console-call'
import { withBrowserHint } from './errors/browser-hint'

/** What a page shows of the parts of an answer. Null for a part that it does not show. */
export type ShowPart = (part: StreamEvent) => Promise<StreamEvent | null> | StreamEvent | null

/** Whether the script of a page shows the answer while it is written. */
export function wantsStream({ c }: ConsoleCall): boolean {
  return c.req.header('accept') === eventStream.mediaType
}

/** Answers with the parts of an operation as they come. An error before the first part has a status of its own. */
export async function streamAnswer(
  call: ConsoleCall,
  { op, input, show }: { op: AnyOperation; input: unknown; show: ShowPart },
): Promise<Response> {
  const { c } = call
  const left = new AbortController()
  const events = showParts(call.stream(op, input, left.signal), show)
  const first = await events.next()
  const body = createStreamBody({
    first,
    events,
    format: eventStream,
    requestId: c.env.call.requestId,
    pingAfterMs: PING_AFTER_MS,
    cancel: () => left.abort(new DOMException('The caller has left.', 'AbortError')),
    done() {},
  })
  return c.body(body, 200, streamHeaders(eventStream))
}

async function* showParts(parts: AsyncIterable<StreamEvent>, show: ShowPart): AsyncGenerator<StreamEvent, void> {
  try {
    for await (const part of parts) {
      const shown = await show(part)
      if (shown !== null) yield shown
    }
  } catch (error) {
    throw withBrowserHint(withoutPlaces(asStudioError(error)))
  }
}
