import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestLimits } from './request-limits'

/** Time and chance, as one thing that a test can hold still. */
export interface Timing {
  /** Milliseconds since 1970. */
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** 0 up to, not including, 1. */
  random(): number
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  random: () => Math.random(),
}

/** When the next request may leave. The tracker slows a client down by `Retry-After`, on good answers too. */
export class RateLimiter {
  #notBefore = 0

  constructor(readonly timing: Timing) {}

  /** Milliseconds that the next request has to wait. */
  get waitMs(): number {
    return Math.max(0, this.#notBefore - this.timing.now())
  }

  /** Takes note of an answer's `Retry-After`, in milliseconds. */
  observeRetryAfter(retryAfterMs: number | null): void {
    if (retryAfterMs !== null) this.#notBefore = Math.max(this.#notBefore, this.timing.now() + retryAfterMs)
  }

  async wait(signal: AbortSignal): Promise<void> {
    while (this.waitMs > 0) await this.timing.sleep(this.waitMs, signal)
  }
}

/** Full jitter, so that clients which failed together do not come back together. `attempt` counts from 1. */
export function computeBackoff(attempt: number, limits: RequestLimits, random: () => number): number {
  return random() * Math.min(limits.maxBackoffMs, limits.baseBackoffMs * 2 ** (attempt - 1))
}

/** `Retry-After` as milliseconds: seconds or an HTTP date; null where it is absent or makes no sense. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
