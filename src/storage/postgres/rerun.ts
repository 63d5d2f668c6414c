import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionFault, isConflict, isConstraint } from './faults'

/** For how long others may be in the way before the caller is told that the database is busy. */
const CONFLICTS_WITHIN_MS = 10_000
const MOST_RUNS_ON_CONSTRAINTS = 4
/** A connection that has died in the pool is noticed by the first who uses it. */
const MOST_RUNS_ON_LOSS = 2
const SHORTEST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 200

/** Runs a whole transaction again where that can mend its failure, and throws the failure where it cannot. */
export async function rerun<R>(transaction: () => Promise<R>, conflictsWithinMs = CONFLICTS_WITHIN_MS): Promise<R> {
  const deadline = performance.now() + conflictsWithinMs
  for (let run = 1; ; run++) {
    try {
      return await transaction()
    } catch (error) {
      if (!isMendedByAnotherRun(error, run, deadline)) throw error
      await sleep(pauseMs(run))
    }
  }
}

function isMendedByAnotherRun(error: unknown, run: number, deadline: number): boolean {
  if (isConflict(error)) return performance.now() < deadline
  if (isConstraint(error)) return run < MOST_RUNS_ON_CONSTRAINTS
  return error instanceof ConnectionFault && error.phase === 'working' && run < MOST_RUNS_ON_LOSS
}

/** Doubles, up to a bound; anything below it, so that those who met once do not meet again. */
function pauseMs(run: number): number {
  return Math.random() * Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** run)
}
