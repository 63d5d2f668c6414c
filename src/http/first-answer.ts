import { setTimeout as sleep } from 'node:timers/promises'
import type { Observer } from './call'

/** Work in the background begins after this time even if no call comes. */
const MAX_WAIT_MS = 1_000

/** Waits for the first answer of a server, so that what it does in the background does not delay it. */
export class FirstAnswer implements Observer {
  readonly #given = new AbortController()

  ended(): void {
    // Each call of `abort` makes an error with a stack trace, also where it has no effect.
    if (!this.#given.signal.aborted) this.#given.abort()
  }

  /** Resolves after the first answer, after a second, or when the signal is aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    await sleep(MAX_WAIT_MS, undefined, { signal: AbortSignal.any([signal, this.#given.signal]) }).catch(() => {})
  }
}
