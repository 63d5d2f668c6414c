import { setMaxListeners } from 'node:events'

/** A signal of one call: aborted with any of `sources`, or when its time is up. `done` lets go of all of them. */
export function callSignal(sources: readonly AbortSignal[], withinMs: number): { signal: AbortSignal; done(): void } {
  const controller = new AbortController()
  const abort = (event: Event) => controller.abort(reasonOf(event.target as AbortSignal))
  for (const source of sources) {
    if (source.aborted) controller.abort(reasonOf(source))
    setMaxListeners(0, source) // as many as there are calls
    source.addEventListener('abort', abort)
  }
  const timer = setTimeout(
    () => controller.abort(new DOMException('The call took too long.', 'TimeoutError')),
    withinMs,
  )
  return {
    signal: controller.signal,
    done() {
      clearTimeout(timer)
      for (const source of sources) source.removeEventListener('abort', abort)
    },
  }
}

/** A server tells in a bare text that its caller has gone, which by itself would look like a fault of ours. */
function reasonOf({ reason }: AbortSignal): unknown {
  return reason instanceof Error ? reason : new DOMException('The caller has left.', 'AbortError')
}
