/** Limits for one request and one call of the port. Times are in milliseconds. */
export interface RequestLimits {
  connectTimeoutMs: number
  /** To the first byte of a response. A query of the tracker alone may take 30 s. */
  headersTimeoutMs: number
  /** Between two parts of a response. */
  idleTimeoutMs: number
  /** For a whole response, even if it keeps arriving. */
  responseTimeoutMs: number
  maxResponseBytes: number
  /** How often a read is sent, the first time included. */
  maxAttempts: number
  /** Full jitter: a wait is random between 0 and `baseBackoffMs` doubled for each attempt, but at most `maxBackoffMs`. */
  baseBackoffMs: number
  maxBackoffMs: number
  /** A longer `Retry-After` is reported to the caller as an error. */
  maxWaitMs: number
  /** For finding out what became of a change after its caller has left. */
  gracePeriodMs: number
  /** For how long the description of the process is cached. New iterations and states show after this time. */
  processCacheMs: number
  /** Concurrent requests of one call. */
  maxConcurrent: number
  /** Ids or changes in one request; the tracker refuses more than 200. */
  batchSize: number
}

export const defaultLimits: RequestLimits = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 90_000,
  idleTimeoutMs: 30_000,
  responseTimeoutMs: 180_000,
  maxResponseBytes: 64 * 1024 * 1024,
  maxAttempts: 4,
  baseBackoffMs: 400,
  maxBackoffMs: 10_000,
  maxWaitMs: 60_000,
  gracePeriodMs: 3_000,
  processCacheMs: 2 * 60_000,
  maxConcurrent: 4,
  batchSize: 200,
}
