import { setTimeout as sleep } from 'node:timers/promises'

/** Clock, sleep and randomness, which tests replace. */
export interface Timing {
  /** Milliseconds since 1970. */
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** From 0 to 1, exclusive. */
  random(): number
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  random: () => Math.random(),
}

/** Decides when the next request may be sent. The tracker slows clients down with `Retry-After`, even on successful responses. */
export class RateLimiter {
  #notBefore = 0

  constructor(readonly timing: Timing) {}

  /** How long the next request has to wait, in milliseconds. */
  get waitMs(): number {
    return Math.max(0, this.#notBefore - this.timing.now())
  }

  /** Applies the `Retry-After` of a response, in milliseconds. */
  observeRetryAfter(retryAfterMs: number | null): void {
    if (retryAfterMs !== null) this.#notBefore = Math.max(this.#notBefore, this.timing.now() + retryAfterMs)
  }

  async wait(signal: AbortSignal): Promise<void> {
    while (this.waitMs > 0) await this.timing.sleep(this.waitMs, signal)
  }
}

/** Full jitter, so that clients that failed at the same time do not retry at the same time. `attempt` starts at 1. */
export function computeBackoff(attempt: number, limits: RequestLimits, random: () => number): number {
  return random() * Math.min(limits.maxBackoffMs, limits.baseBackoffMs * 2 ** (attempt - 1))
}

/** Parses `Retry-After`, which is in seconds or an HTTP date, into milliseconds; null if it is absent or invalid. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

/**
 * How long no request is left, in milliseconds: until the time of `x-ratelimit-reset`, in seconds since 1970 or in ISO 8601. Null if some are
 * left.
 */
export function parseRateLimit(header: (name: string) => string | null, now: number): number | null {
  const reset = header('x-ratelimit-reset') ?? ''
  const at = reset.includes('T') ? Date.parse(reset) : Number(reset) * 1000
  return header('x-ratelimit-remaining') === '0' && Number.isFinite(at) ? Math.max(0, at - now) : null
}

/** Limits for one request and one call of the port. Times are in milliseconds. */
export const defaultLimits = {
  connectTimeoutMs: 10_000,
  /** To the first byte of a response. A query of the tracker alone may take 30 s. */
  headersTimeoutMs: 90_000,
  /** Between two parts of a response. */
  idleTimeoutMs: 30_000,
  /** For a whole response, even if it keeps arriving. */
  responseTimeoutMs: 180_000,
  maxResponseBytes: 64 * 1024 * 1024,
  /** How often a read is sent, the first time included, if the tracker does not say when to try again. */
  maxAttempts: 6,
  /** Full jitter: a wait is random between 0 and `baseBackoffMs` doubled for each attempt, but at most `maxBackoffMs`. */
  baseBackoffMs: 400,
  maxBackoffMs: 10_000,
  /** For one request, in all, while the tracker answers with `Retry-After`. A longer one is reported to the caller as an error. */
  maxWaitMs: 2 * 60_000,
  /** For finding out what became of a change after its caller has left. */
  gracePeriodMs: 3_000,
  /** For how long the description of the process is cached. New iterations and states show after this time. */
  processCacheMs: 2 * 60_000,
  /** Concurrent requests of one call. */
  maxConcurrent: 4,
  /** Ids or changes in one request; the tracker refuses more than 200. */
  batchSize: 200,
}

export type RequestLimits = typeof defaultLimits
