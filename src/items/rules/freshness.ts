import type { ItemShape } from '../../tracker'

export const REASONS = ['fresh', 'revision', 'relations', 'never-fetched'] as const
export type Reason = (typeof REASONS)[number]

export interface Freshness {
  localRev: number
  remoteRev: number
  isFresh: boolean
  reason: Reason
}

/** Whether what is kept is what the tracker has. A change of links makes no revision, so both count. */
export function freshnessOf(local: LocalShape | null, remote: ItemShape): Freshness {
  const reason = reasonOf(local, remote)
  return { localRev: local?.rev ?? 0, remoteRev: remote.rev, isFresh: reason === 'fresh', reason }
}

/** What is kept; what a file told was never read from the tracker, however like it is. */
export interface LocalShape extends ItemShape {
  isFromFile: boolean
}

function reasonOf(local: LocalShape | null, remote: ItemShape): Reason {
  if (local === null || local.isFromFile) return 'never-fetched'
  if (local.rev !== remote.rev) return 'revision'
  return local.relationsFingerprint === remote.relationsFingerprint ? 'fresh' : 'relations'
}
