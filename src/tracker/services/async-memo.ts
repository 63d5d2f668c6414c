import { setMaxListeners } from 'node:events'
import { createInterruptedError } from './tracker-error'

interface PendingRun<Value> {
  value: Promise<Value>
  controller: AbortController
  waiterCount: number
  startedAt: number
}

/** For how long a result is kept. */
export interface MemoLifetime {
  ms: number
  /** Milliseconds, of any clock. */
  now(): number
}

const unlimited: MemoLifetime = { ms: Number.POSITIVE_INFINITY, now: () => 0 }

/**
 * Work whose result several callers share. It runs at the first call and is kept when it succeeds; after a failure, or when the result
 * is too old, the next caller begins anew. A caller that leaves does not take it from the others: it is aborted when the last has left.
 */
export class AsyncMemo<Value> {
  readonly #work: (signal: AbortSignal) => Promise<Value>
  readonly #keeping: MemoLifetime
  #run: PendingRun<Value> | null = null

  constructor(work: (signal: AbortSignal) => Promise<Value>, keeping = unlimited) {
    this.#work = work
    this.#keeping = keeping
  }

  async get(signal: AbortSignal): Promise<Value> {
    if (signal.aborted) throw createInterruptedError(signal, 'none')
    // A call may wait for many of these at once; each takes its listener away again.
    setMaxListeners(0, signal)
    const run = this.#current() ?? this.#begin()
    run.waiterCount += 1
    let leave = () => {}
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(createInterruptedError(signal, 'none'))
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

  #current(): PendingRun<Value> | null {
    const { ms, now } = this.#keeping
    return this.#run !== null && now() - this.#run.startedAt < ms ? this.#run : null
  }

  #begin(): PendingRun<Value> {
    const controller = new AbortController()
    const begunAt = this.#keeping.now()
    const run: PendingRun<Value> = {
      value: this.#work(controller.signal),
      controller,
      waiterCount: 0,
      startedAt: begunAt,
    }
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
