import type { z } from 'zod'
import type { Answer, Ask } from './answer'
import type { Exchange } from './exchange'
import { interruptedFault, TrackerFault } from './fault'
import { type Asked, faultOfAnswer } from './fault-of-answer'
import type { Limits } from './limits'
import { backoffMs, Pace, type Timing } from './pace'

/** What a write got back: an answer, and what is wrong with it where something is. */
export interface Written {
  answer: Answer
  fault: TrackerFault | null
}

export interface ClientSettings {
  asked: Asked
  limits: Limits
  exchange: Exchange
  timing: Timing
}

/** Asks the tracker with patience: waits when told to, repeats what may be repeated, and nothing else. */
export class Client {
  readonly limits: Limits
  readonly #exchange: Exchange
  readonly #asked: Asked
  readonly #pace: Pace
  /** How far the tracker's clock is ahead of ours, in milliseconds; null until it has answered. */
  #aheadMs: number | null = null

  constructor(settings: ClientSettings) {
    this.limits = settings.limits
    this.#exchange = settings.exchange
    this.#asked = settings.asked
    this.#pace = new Pace(settings.timing)
  }

  /** A request that changes nothing, so it is sent again after a passing fault. The answer has the given shape. */
  async read<Shape extends z.ZodType>(ask: Ask, shape: Shape, signal: AbortSignal): Promise<z.output<Shape>> {
    for (let attempt = 1; ; attempt += 1) {
      const { answer, fault } = await this.#attempt(ask, signal)
      if (fault === null) return this.#shaped(ask, answer!, shape)
      if (!this.#worthAnother(fault, attempt)) throw fault
      await this.pause(attempt, signal)
    }
  }

  /**
   * A request that changes something. It is sent again only when the tracker refused to look at it (429).
   * Throws a TrackerFault where no answer came; its `effect` says whether the tracker may have received it.
   */
  async write(ask: Ask, signal: AbortSignal): Promise<Written> {
    for (let attempt = 1; ; attempt += 1) {
      const { answer, fault } = await this.#attempt(ask, signal)
      if (answer === null) throw fault
      const refusedUnread = fault?.code === 'tracker_throttled'
      if (!refusedUnread || !this.#worthAnother(fault, attempt)) return { answer, fault }
      await this.pause(attempt, signal)
    }
  }

  /** A moment of our clock as the tracker's clock showed it; null where it has not told the time yet. */
  onTrackersClock(at: number): number | null {
    return this.#aheadMs === null ? null : at + this.#aheadMs
  }

  /** Waits before the attempt after `attempt`. */
  async pause(attempt: number, signal: AbortSignal): Promise<void> {
    const { timing } = this.#pace
    await this.#patiently(timing.sleep(backoffMs(attempt, this.limits, timing.random), signal), signal)
  }

  close(): Promise<void> {
    return this.#exchange.close()
  }

  async #attempt(ask: Ask, signal: AbortSignal): Promise<{ answer: Answer | null; fault: TrackerFault | null }> {
    await this.#waitForTurn(signal)
    try {
      const answer = await this.#exchange.send(ask, signal)
      this.#pace.heard(answer.retryAfterMs)
      if (answer.saidAt !== null) this.#aheadMs = answer.saidAt - this.#pace.timing.now()
      return { answer, fault: faultOfAnswer(answer, this.#asked) }
    } catch (error) {
      if (error instanceof TrackerFault) return { answer: null, fault: error }
      throw error
    }
  }

  async #waitForTurn(signal: AbortSignal): Promise<void> {
    const { waitMs } = this.#pace
    if (waitMs > this.limits.longestWaitMs) {
      const seconds = Math.ceil(waitMs / 1000)
      throw new TrackerFault('tracker_throttled', `The tracker wants a pause of ${seconds} s.`, {
        retryAfterSeconds: seconds,
      })
    }
    await this.#patiently(this.#pace.wait(signal), signal)
  }

  #worthAnother(fault: TrackerFault, attempt: number): boolean {
    return fault.transient && attempt < this.limits.attempts && this.#pace.waitMs <= this.limits.longestWaitMs
  }

  async #patiently(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
    await waiting.catch((error) => {
      throw signal.aborted ? interruptedFault(signal, 'none') : error
    })
  }

  #shaped<Shape extends z.ZodType>(ask: Ask, answer: Answer, shape: Shape): z.output<Shape> {
    const parsed = shape.safeParse(answer.json)
    if (parsed.success) return parsed.data
    throw new TrackerFault('tracker_answer', `The tracker's answer to ${ask.path} has not the expected shape.`, {
      cause: parsed.error,
    })
  }
}
