/** A signal of one call: aborted with any of `sources`, or when its time is up. `done` lets go of all of them. */
export function callSignal(sources: readonly AbortSignal[], withinMs: number): { signal: AbortSignal; done(): void } {
  const controller = new AbortController()
  const abort = (event: Event) => controller.abort((event.target as AbortSignal).reason)
  for (const source of sources) {
    if (source.aborted) controller.abort(source.reason)
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
