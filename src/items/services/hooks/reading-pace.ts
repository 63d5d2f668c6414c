import type { Clock } from '../../../kernel/context'
import { MINUTE_MS, SECOND_MS } from '../../../kernel/time'

/** The pause after a round that found news, and the longest one after rounds that found none. */
const PAUSE_MS = 1 * SECOND_MS
const MAX_PAUSE_MS = 30 * SECOND_MS
const MAX_BACKOFF_MS = 5 * MINUTE_MS

/** When reported items may be read again. */
export class ReadingPace {
  #pausedAt = 0
  #notBefore = 0
  /** Consecutive rounds that found nothing new: events are repeated, or are about items that the workspace does not have. */
  #idleRounds = 0

  constructor(private readonly clock: Clock) {}

  get waitMs(): number {
    const now = this.clock.now()
    // A clock that was set back does not make a pause longer.
    return now < this.#pausedAt ? 0 : Math.max(0, this.#notBefore - now)
  }

  /** Nothing was to be read. */
  pauseAfterNothing(): void {
    this.#pause(PAUSE_MS)
  }

  pauseAfterRound(news: number): void {
    const wasQuiet = this.clock.now() - this.#notBefore > MAX_PAUSE_MS
    this.#idleRounds = news > 0 || wasQuiet ? 0 : this.#idleRounds + 1
    this.#pause(Math.min(PAUSE_MS * 2 ** this.#idleRounds, MAX_PAUSE_MS))
  }

  pauseAfterFailure(failures: number, retryAfterSeconds: number): void {
    this.#pause(Math.max(Math.min(PAUSE_MS * 2 ** failures, MAX_BACKOFF_MS), retryAfterSeconds * SECOND_MS))
  }

  #pause(ms: number): void {
    this.#pausedAt = this.clock.now()
    this.#notBefore = this.#pausedAt + ms
  }
}
