import type { ChangePosition, TrackerChanges } from '../../../tracker'
import type { ItemSummary } from '../../queries'
import type { TrackerLink } from '../tracker-identity'
import type { TrackerWorkspaceContext } from '../workspace-context'

/** What the tracker's feeds of changes say about items. */
export interface DetectedChanges {
  /** Where the next call continues; null if there is no feed. */
  position: string | null
  /** Whether the tracker may have another version of a cached item. True for all items if there is no feed. */
  mayDiffer(item: ItemSummary): boolean
  /** Whether an item that is not cached may have changed. */
  mayHaveChanged(id: number): boolean
}

export const ALL_MAY_DIFFER: DetectedChanges = { position: null, mayDiffer: () => true, mayHaveChanged: () => true }

/**
 * Asks the tracker's feeds what has changed since the last sync. The feeds cover one project, so items of other projects may always
 * differ, as may those that were gone.
 */
export async function findChanges(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { items, maxPages }: { items: readonly ItemSummary[]; maxPages: number },
): Promise<DetectedChanges> {
  const fetched = items.filter(({ isFromFile }) => !isFromFile)
  if (fetched.length === 0) return ALL_MAY_DIFFER
  const { start, at } = chooseStart(link, fetched)
  const changes = await link.tracker.readChanges(start, { signal: ctx.signal, maxPages })
  return changes === null ? ALL_MAY_DIFFER : toDetectedChanges(changes, { link, at })
}

interface Start {
  start: ChangePosition
  /** The time of `start`, ISO 8601. */
  at: string
}

/** The last sync, or the oldest item if it was fetched later. */
function chooseStart({ stored }: TrackerLink, items: readonly ItemSummary[]): Start {
  const oldest = items.reduce((min, { fetchedAt }) => (fetchedAt < min ? fetchedAt : min), items[0]!.fetchedAt)
  const { syncedAt = null, position = null } = stored ?? {}
  return syncedAt !== null && syncedAt >= oldest && position !== null
    ? { start: { since: Date.parse(syncedAt), after: position }, at: syncedAt }
    : { start: { since: Date.parse(oldest) }, at: oldest }
}

function toDetectedChanges(
  { changed, position }: TrackerChanges,
  { link, at }: { link: TrackerLink; at: string },
): DetectedChanges {
  return {
    position,
    mayDiffer(item) {
      if (item.isGone || item.isFromFile || !link.isInProject(item.areaPath)) return true
      // An import that ran during the last sync may have saved an older version after it.
      if (!item.isCompared && item.fetchedAt < at) return true
      const rev = changed.get(item.id)
      return rev !== undefined && (rev === null || rev > item.rev)
    },
    mayHaveChanged: (id) => changed.has(id),
  }
}
