import { setTimeout as sleep } from 'node:timers/promises'

/** Wakes work that waits, or that is going to wait. */
export class Bell {
  #rung = new AbortController()

  ring(): void {
    this.#rung.abort()
  }

  /** Returns when it rings, at once if it has rung since the last time, or after a time. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(ms, undefined, { signal: AbortSignal.any([signal, this.#rung.signal]), ref: false }).catch(() => {})
    if (this.#rung.signal.aborted) this.#rung = new AbortController()
  }
}
