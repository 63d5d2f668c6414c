import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError, isConflict, isConstraintViolation } from './postgres-errors'

/** How long conflicts are retried before the call fails with `database_busy`. */
const CONFLICT_TIMEOUT_MS = 10_000
const MAX_RUNS_ON_CONSTRAINT_VIOLATION = 4
/** A connection that died in the pool is noticed by its first use. */
const MAX_RUNS_ON_CONNECTION_LOSS = 2
const MIN_PAUSE_MS = 2
const MAX_PAUSE_MS = 200

/** Runs a transaction again if its error is transient; throws any other error. */
export async function retryTransaction<R>(
  transaction: () => Promise<R>,
  conflictTimeoutMs = CONFLICT_TIMEOUT_MS,
): Promise<R> {
  const deadline = performance.now() + conflictTimeoutMs
  for (let run = 1; ; run++) {
    try {
      return await transaction()
    } catch (error) {
      if (!isRetryable(error, run, deadline)) throw error
      await sleep(pauseMs(run))
    }
  }
}

function isRetryable(error: unknown, run: number, deadline: number): boolean {
  if (isConflict(error)) return performance.now() < deadline
  if (isConstraintViolation(error)) return run < MAX_RUNS_ON_CONSTRAINT_VIOLATION
  return error instanceof ConnectionError && error.phase === 'working' && run < MAX_RUNS_ON_CONNECTION_LOSS
}

/** Exponential backoff with full jitter, so that two transactions do not collide again. */
function pauseMs(run: number): number {
  return Math.random() * Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** run)
}
