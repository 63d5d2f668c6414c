export const OUTCOMES = ['applied', 'conflict', 'rejected', 'notAttempted', 'unknown'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** What became of one item of a batch. */
export interface ItemOutcome {
  status: Outcome
  rev: number | null
  message: string | null
}

export function countStatuses(results: readonly { status: Outcome }[]) {
  const count = (status: Outcome) => results.filter((result) => result.status === status).length
  return {
    applied: count('applied'),
    conflicts: count('conflict'),
    rejected: count('rejected'),
    notAttempted: count('notAttempted'),
    unknown: count('unknown'),
  }
}
