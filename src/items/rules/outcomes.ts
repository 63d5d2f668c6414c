export const UPDATE_STATUSES = ['applied', 'conflict', 'rejected', 'notAttempted', 'unknown'] as const
export type UpdateStatus = (typeof UPDATE_STATUSES)[number]

/** What became of one item of a batch. */
export interface ItemOutcome {
  status: UpdateStatus
  rev: number | null
  message: string | null
}

export function countStatuses(results: readonly { status: UpdateStatus }[]) {
  const count = (status: UpdateStatus) => results.filter((result) => result.status === status).length
  return {
    applied: count('applied'),
    conflicts: count('conflict'),
    rejected: count('rejected'),
    notAttempted: count('notAttempted'),
    unknown: count('unknown'),
  }
}
