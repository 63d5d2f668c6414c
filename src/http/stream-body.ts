import { asStudioError, errorBody, type StreamEvent, withoutPlaces, withPlainHint } from '../kernel'
import { formatRequest } from './format-request'
import type { StreamForm } from './stream-form'

export const PING_AFTER_MS = 15_000

interface Source {
  events: AsyncIterator<StreamEvent>
  form: StreamForm
  requestId: string
  pingAfterMs: number
  /** Ends the work behind the events: nobody reads them any more. */
  leave(): void
  /** Called once, when the last byte was handed over or nobody wants it. */
  done(): void
}

/**
 * The parts as bytes. A part is asked for only when the one ahead of it has left, so that a slow reader slows its source down and
 * nothing piles up here; whoever reads no more ends the source.
 */
export function streamBody(source: Source): ReadableStream<Uint8Array> {
  const { events, form, leave, done } = source
  const encoder = new TextEncoder()
  let awaited: Promise<IteratorResult<StreamEvent>> | null = null
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const send = (text: string) => controller.enqueue(encoder.encode(text))
        awaited ??= events.next()
        try {
          const next = await orQuiet(awaited, source.pingAfterMs)
          if (next === 'quiet') return send(form.ping)
          awaited = null
          if (!next.done) return send(form.part(next.value))
        } catch (error) {
          const known = await withPlainHint(withoutPlaces(asStudioError(error)), formatRequest)
          send(form.error(errorBody(known, source.requestId)))
        }
        controller.close()
        done()
      },
      async cancel() {
        leave()
        done()
        // What the source throws on its way out concerns nobody any more.
        await awaited?.catch(() => {})
        await events.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The next part, or `quiet` when it keeps us waiting. */
async function orQuiet<Next>(awaited: Promise<Next>, afterMs: number): Promise<Next | 'quiet'> {
  let timer: NodeJS.Timeout | undefined
  const quiet = new Promise<'quiet'>((resolve) => {
    timer = setTimeout(() => resolve('quiet'), afterMs)
  })
  try {
    return await Promise.race([awaited, quiet])
  } finally {
    clearTimeout(timer)
  }
}
