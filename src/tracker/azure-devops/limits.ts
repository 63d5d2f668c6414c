/** Every bound on what one request, and one call of the port, may cost. Times in milliseconds. */
export interface Limits {
  connectMs: number
  /** To the first byte of an answer; a query of the tracker may itself take 30 s. */
  headersMs: number
  /** Silence between two parts of an answer. */
  silenceMs: number
  /** For one whole answer, however steadily it trickles. */
  answerMs: number
  answerBytes: number
  /** How often a read is sent in all. */
  attempts: number
  /** Full jitter: a wait is drawn from 0 to `backoffMs` doubled for each attempt, never over `backoffCapMs`. */
  backoffMs: number
  backoffCapMs: number
  /** A longer `Retry-After` is told to the caller instead of waited for. */
  longestWaitMs: number
  /** For finding out what became of a change whose caller has left. */
  graceMs: number
  /** For how long what was read of the process is taken to hold: a new iteration or state shows after it. */
  processMs: number
  /** Requests of one call that are under way at once. */
  inFlight: number
  /** Ids or changes in one request; the tracker refuses more than 200. */
  batchSize: number
}

export const defaultLimits: Limits = {
  connectMs: 10_000,
  headersMs: 90_000,
  silenceMs: 30_000,
  answerMs: 180_000,
  answerBytes: 64 * 1024 * 1024,
  attempts: 4,
  backoffMs: 400,
  backoffCapMs: 10_000,
  longestWaitMs: 60_000,
  graceMs: 3_000,
  processMs: 2 * 60_000,
  inFlight: 4,
  batchSize: 200,
}
