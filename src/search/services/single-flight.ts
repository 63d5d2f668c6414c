interface Run<Result> {
  result: Promise<Result>
  callers: number
  stop: AbortController
}

/** Runs a task once for all callers who ask for it at the same time. */
export class SingleFlight<Result> {
  #current: Run<Result> | null = null

  get isRunning(): boolean {
    return this.#current !== null
  }

  /**
   * Joins the run that is under way, or starts one. A caller whose own signal is aborted stops waiting.
   * @param task is given a signal that is aborted as soon as no caller waits.
   */
  async join(signal: AbortSignal, task: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted()
    this.#current ??= this.#start(task)
    const run = this.#current
    run.callers += 1
    let leave = () => {}
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason)
    })
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([run.result, left])
    } finally {
      signal.removeEventListener('abort', leave)
      run.callers -= 1
      if (run.callers === 0) this.#stop(run)
    }
  }

  #start(task: (signal: AbortSignal) => Promise<Result>): Run<Result> {
    const stop = new AbortController()
    const run = { result: task(stop.signal), callers: 0, stop }
    run.result.catch(() => {}).finally(() => this.#forget(run)) // the callers who still wait receive the error
    return run
  }

  /** The next caller starts a new run instead of joining one that is being aborted. */
  #stop(run: Run<Result>): void {
    this.#forget(run)
    run.stop.abort()
  }

  #forget(run: Run<Result>): void {
    if (this.#current === run) this.#current = null
  }
}
