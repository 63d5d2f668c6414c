import type { ItemShape } from '../../tracker'

export const FRESHNESS_REASONS = ['fresh', 'revision', 'relations', 'never-fetched'] as const
export type FreshnessReason = (typeof FRESHNESS_REASONS)[number]

export interface Freshness {
  localRev: number
  remoteRev: number
  isFresh: boolean
  reason: FreshnessReason
}

/** Whether what is kept is what the tracker has. A change of links makes no revision, so both count. */
export function determineFreshness(local: StoredShape | null, remote: ItemShape): Freshness {
  const reason = findReason(local, remote)
  return { localRev: local?.rev ?? 0, remoteRev: remote.rev, isFresh: reason === 'fresh', reason }
}

/** What is kept; what a file told was never read from the tracker, however like it is. */
export interface StoredShape extends ItemShape {
  isFromFile: boolean
}

function findReason(local: StoredShape | null, remote: ItemShape): FreshnessReason {
  if (local === null || local.isFromFile) return 'never-fetched'
  if (local.rev !== remote.rev) return 'revision'
  return local.relationsFingerprint === remote.relationsFingerprint ? 'fresh' : 'relations'
}
