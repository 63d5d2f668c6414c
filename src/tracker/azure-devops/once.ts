import { interruptedFault } from './fault'

interface Run<Value> {
  value: Promise<Value>
  controller: AbortController
  waiting: number
}

/**
 * Work whose result several callers share. It runs at the first call and is kept when it succeeds; after a failure
 * the next caller begins anew. A caller that leaves does not take it from the others: it is aborted when the last has left.
 */
export class Once<Value> {
  readonly #work: (signal: AbortSignal) => Promise<Value>
  #run: Run<Value> | null = null

  constructor(work: (signal: AbortSignal) => Promise<Value>) {
    this.#work = work
  }

  async get(signal: AbortSignal): Promise<Value> {
    if (signal.aborted) throw interruptedFault(signal, 'none')
    const run = this.#run ?? this.#begin()
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

  #begin(): Run<Value> {
    const controller = new AbortController()
    const run: Run<Value> = { value: this.#work(controller.signal), controller, waiting: 0 }
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
