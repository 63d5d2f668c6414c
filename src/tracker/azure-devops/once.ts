import { setMaxListeners } from 'node:events'
import { interruptedFault } from './fault'

interface Run<Value> {
  value: Promise<Value>
  controller: AbortController
  waiting: number
  begunAt: number
}

/** For how long a result is kept. */
export interface Keeping {
  ms: number
  /** Milliseconds, of any clock. */
  now(): number
}

const forGood: Keeping = { ms: Number.POSITIVE_INFINITY, now: () => 0 }

/**
 * Work whose result several callers share. It runs at the first call and is kept when it succeeds; after a failure, or when the result
 * is too old, the next caller begins anew. A caller that leaves does not take it from the others: it is aborted when the last has left.
 */
export class Once<Value> {
  readonly #work: (signal: AbortSignal) => Promise<Value>
  readonly #keeping: Keeping
  #run: Run<Value> | null = null

  constructor(work: (signal: AbortSignal) => Promise<Value>, keeping = forGood) {
    this.#work = work
    this.#keeping = keeping
  }

  async get(signal: AbortSignal): Promise<Value> {
    if (signal.aborted) throw interruptedFault(signal, 'none')
    // A call may wait for many of these at once; each takes its listener away again.
    setMaxListeners(0, signal)
    const run = this.#current() ?? this.#begin()
    run.waiting += 1
    let leave = () => {}
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(interruptedFault(signal, 'none'))
      signal.addEventListener('abort', leave, { once: true })
    })
    try {
      return await Promise.race([run.value, left])
    } finally {
      signal.removeEventListener('abort', leave)
      run.waiting -= 1
      if (run.waiting === 0 && signal.aborted) this.#abandon(run)
    }
  }

  #current(): Run<Value> | null {
    const { ms, now } = this.#keeping
    return this.#run !== null && now() - this.#run.begunAt < ms ? this.#run : null
  }

  #begin(): Run<Value> {
    const controller = new AbortController()
    const begunAt = this.#keeping.now()
    const run: Run<Value> = { value: this.#work(controller.signal), controller, waiting: 0, begunAt }
    run.value.catch(() => this.#forget(run))
    this.#run = run
    return run
  }

  #abandon(run: Run<Value>): void {
    this.#forget(run)
    run.controller.abort()
  }

  #forget(run: Run<Value>): void {
    if (this.#run === run) this.#run = null
  }
}
