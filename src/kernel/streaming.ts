import type { Context } from './context'
import { StudioError } from './errors'
import { authorize, parseInput, withOutcome } from './execute'
import type { AnyOperation, StreamEvent, Streaming } from './operation'

/**
 * Like `execute()`, for a streamed answer. Nothing happens before the first part is requested, and each part is produced when the
 * previous one was taken, so that a slow reader slows the source down.
 */
export async function* executeStream(
  op: AnyOperation,
  raw: unknown,
  ctx: Context,
): AsyncGenerator<StreamEvent, void, undefined> {
  const outcome = withOutcome(op, ctx)
  try {
    const streaming = streamingOf(op)
    authorize(op, ctx.actor)
    const input = parseInput(op, raw)
    ctx.signal.throwIfAborted()
    for await (const event of streaming.open(ctx, input)) yield checkEvent(op, streaming, event)
    outcome.done()
  } catch (error) {
    throw outcome.failed(error)
  }
}

function streamingOf(op: AnyOperation): Streaming<any, any> {
  if (op.stream) return op.stream
  throw new StudioError('internal', `The answer of ${op.id} does not come in parts.`)
}

function checkEvent(op: AnyOperation, streaming: Streaming<any, any>, event: StreamEvent): StreamEvent {
  const parsed = streaming.event.safeParse(event)
  if (parsed.success) return parsed.data
  throw new StudioError('internal', `A part of the answer of ${op.id} does not fit its own schema.`, {
    cause: parsed.error,
  })
}
