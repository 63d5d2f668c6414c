import type { z } from 'zod'
import type { Context } from './context'
import { StudioError } from './errors'
import { authorize, parseInput, withOutcome } from './execute'
import type { AnyOperation } from './operation'

/** A part of an answer; `event` tells its kind. A failure after the first part is thrown, and every surface tells it as the last one. */
export interface StreamEvent {
  event: string
  [field: string]: unknown
}

/** How an answer can be had in parts, as they come. */
export interface Streaming<In extends z.ZodObject = z.ZodObject, Needs extends Context = Context> {
  /** The shape of a part. */
  event: z.ZodType<StreamEvent>
  /** True where a caller gets the parts unless it asks for the whole. */
  byDefault?: true
  /** Ends early, and lets go of everything, when the reader stops reading or the context's signal is aborted. */
  open(ctx: Needs, input: z.output<In>): AsyncIterable<StreamEvent>
}

/**
 * The same door as `execute()`, for an answer in parts. Nothing happens before the first part is asked for, and no part is made
 * before the one ahead of it was taken: a slow reader slows the source down.
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
