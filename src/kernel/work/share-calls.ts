/**
 * Shares calls of a function among its callers. A caller never gets the result of a call that began before its own, so the calls that
 * arrive while one is under way share the next one.
 */
export function shareCalls<R>(call: () => Promise<R>): () => Promise<R> {
  let running: Promise<unknown> | null = null
  let next: Promise<R> | null = null
  const start = () => {
    next = null
    const started = call()
    running = started
    const end = () => {
      if (running === started) running = null
    }
    started.then(end, end)
    return started
  }
  return () => {
    if (running === null) return start()
    next ??= running.then(start, start)
    return next
  }
}
