import { setMaxListeners } from 'node:events'

interface PendingRun<Value> {
  value: Promise<Value>
  controller: AbortController
  waiterCount: number
  startedAt: number
}

/** For how long a result is cached. */
export interface MemoLifetime {
  ms: number
  /** Milliseconds, of any clock. */
  now(): number
}

const unlimited: MemoLifetime = { ms: Number.POSITIVE_INFINITY, now: () => 0 }

/**
 * A memoized asynchronous computation that several callers share. It runs at the first call and caches a successful result. After a
 * failure, or when the result has expired, the next call runs it again. It is aborted only when its last waiting caller has left.
 */
export class AbortableMemo<Value> {
  #run: PendingRun<Value> | null = null

  constructor(
    private readonly work: (signal: AbortSignal) => Promise<Value>,
    private readonly lifetime = unlimited,
  ) {}

  async get(signal: AbortSignal): Promise<Value> {
    if (signal.aborted) throw this.createLeaveError(signal)
    // One call may wait for many of these at once, and each removes its listener again.
    setMaxListeners(0, signal)
    const run = this.#current() ?? this.#begin()
    run.waiterCount += 1
    let leave = () => {}
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(this.createLeaveError(signal))
      signal.addEventListener('abort', leave, { once: true })
    })
    try {
      return await Promise.race([run.value, left])
    } finally {
      signal.removeEventListener('abort', leave)
      run.waiterCount -= 1
      if (run.waiterCount === 0 && signal.aborted) this.#abandon(run)
    }
  }

  /** Makes the next call run it again. */
  forget(): void {
    this.#run = null
  }

  /** The error of a caller whose signal is aborted. */
  protected createLeaveError(signal: AbortSignal): unknown {
    return signal.reason
  }

  #current(): PendingRun<Value> | null {
    const { ms, now } = this.lifetime
    return this.#run !== null && now() - this.#run.startedAt < ms ? this.#run : null
  }

  #begin(): PendingRun<Value> {
    const controller = new AbortController()
    const startedAt = this.lifetime.now()
    const run = { value: this.work(controller.signal), controller, waiterCount: 0, startedAt }
    run.value.catch(() => this.#forget(run))
    this.#run = run
    return run
  }

  #abandon(run: PendingRun<Value>): void {
    this.#forget(run)
    run.controller.abort()
  }

  #forget(run: PendingRun<Value>): void {
    if (this.#run === run) this.#run = null
  }
}
