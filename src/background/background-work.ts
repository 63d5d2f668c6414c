import { setTimeout as sleep } from 'node:timers/promises'
import { asStudioError, type Context, familyOf, withoutPlaces } from '../kernel'
import { SECOND_MS } from '../kernel/time'

const FIRST_RETRY_MS = 1 * SECOND_MS
const MAX_RETRY_MS = 30 * SECOND_MS

/**
 * Work that a service does by itself. After an error, such as a lost database, it is tried again, after a longer time at each failure. The
 * log gets one line when it fails, another one only for another reason, and one when it goes on.
 */
export class BackgroundWork {
  #failures = 0
  #reason: string | null = null

  constructor(
    private readonly ctx: Pick<Context, 'log' | 'signal'>,
    /** What the log calls it: `the delivery of webhooks`. */
    private readonly name: string,
    /** Calls `succeeded` where it goes on for long; otherwise its end is its success. */
    private readonly run: (succeeded: () => void) => Promise<unknown>,
  ) {}

  /** Does it once. An error is logged. */
  async attempt(): Promise<void> {
    try {
      await this.run(() => this.#succeeded())
      this.#succeeded()
    } catch (error) {
      if (!this.ctx.signal.aborted) this.#failed(error)
    }
  }

  /** Does it again and again until the signal is aborted: at intervals, and after an error sooner or later than that. */
  async repeat(everyMs: number): Promise<void> {
    const { signal } = this.ctx
    while (!signal.aborted) {
      const waitMs = this.#failures > 0 ? computeRetryMs(this.#failures) : everyMs
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {})
      if (!signal.aborted) await this.attempt()
    }
  }

  #succeeded(): void {
    if (this.#failures > 0) this.ctx.log.info(`${this.name} goes on`, { failures: this.#failures })
    this.#failures = 0
    this.#reason = null
  }

  #failed(error: unknown): void {
    const known = asStudioError(error)
    this.#failures += 1
    const reason = withoutPlaces(known).message
    if (reason === this.#reason) return
    this.#reason = reason
    // Only an error in studio needs the place where it happened.
    if (familyOf(known.code) === 'internal')
      this.ctx.log.error(`${this.name} failed and is tried again`, { cause: known.cause ?? known })
    else this.ctx.log.error(`${this.name} waits: ${reason}`, { code: known.code })
  }
}

export function computeRetryMs(failures: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1))
}
