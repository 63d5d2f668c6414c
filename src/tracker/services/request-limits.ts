/** Every bound on what one request, and one call of the port, may cost. Times in milliseconds. */
export interface RequestLimits {
  connectTimeoutMs: number
  /** To the first byte of an answer; a query of the tracker may itself take 30 s. */
  headersTimeoutMs: number
  /** Silence between two parts of an answer. */
  idleTimeoutMs: number
  /** For one whole answer, however steadily it trickles. */
  responseTimeoutMs: number
  maxResponseBytes: number
  /** How often a read is sent in all. */
  maxAttempts: number
  /** Full jitter: a wait is drawn from 0 to `backoffMs` doubled for each attempt, never over `backoffCapMs`. */
  baseBackoffMs: number
  maxBackoffMs: number
  /** A longer `Retry-After` is told to the caller instead of waited for. */
  maxWaitMs: number
  /** For finding out what became of a change whose caller has left. */
  gracePeriodMs: number
  /** For how long what was read of the process is taken to hold: a new iteration or state shows after it. */
  processCacheMs: number
  /** Requests of one call that are under way at once. */
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
