import type { ChangePosition, TrackerChanges } from '../../tracker'
import type { ItemSummary } from '../queries'
import type { TrackerLink } from './tracker-link'
import type { TrackerWorkspaceContext } from './workspace-context'

/** What the tracker's feed tells of kept items. */
export interface DetectedChanges {
  /** From where to ask on; null where there is no feed. */
  position: string | null
  /** Whether the item, kept in this shape, may be another one now. Without a feed any may. */
  mayDiffer(shape: ItemSummary): boolean
  /** The same of one that is not kept. */
  mayHaveChanged(id: number): boolean
}

export const ALL_MAY_DIFFER: DetectedChanges = { position: null, mayDiffer: () => true, mayHaveChanged: () => true }

/**
 * Asks the tracker's feed what has changed since the items were last known to be as the tracker has them. The feed is the project's,
 * so items of other projects may always differ, as may those that were gone.
 */
export async function findChanges(
  ctx: TrackerWorkspaceContext,
  mirror: TrackerLink,
  { shapes, mostPages }: { shapes: readonly ItemSummary[]; mostPages: number },
): Promise<DetectedChanges> {
  const read = shapes.filter(({ isFromFile }) => !isFromFile)
  if (read.length === 0) return ALL_MAY_DIFFER
  const { start, at } = chooseStart(mirror, read)
  const changes = await mirror.tracker.readChanges(start, { signal: ctx.signal, mostPages })
  return changes === null ? ALL_MAY_DIFFER : toDetectedChanges(changes, { mirror, at })
}

interface Start {
  start: ChangePosition
  /** The moment from which on the feed is asked, ISO 8601. */
  at: string
}

/** From the last sync, or from the oldest item where there was none since. */
function chooseStart({ stored: kept }: TrackerLink, shapes: readonly ItemSummary[]): Start {
  const oldest = shapes.reduce((least, { fetchedAt }) => (fetchedAt < least ? fetchedAt : least), shapes[0]!.fetchedAt)
  const isCloser = kept !== null && kept.syncedAt !== null && kept.syncedAt >= oldest
  return isCloser && kept.position !== null
    ? { start: { since: Date.parse(kept.syncedAt!), after: kept.position }, at: kept.syncedAt! }
    : { start: { since: Date.parse(oldest) }, at: oldest }
}

function toDetectedChanges(
  { changed, position }: TrackerChanges,
  { mirror, at }: { mirror: TrackerLink; at: string },
): DetectedChanges {
  return {
    position,
    mayDiffer(shape) {
      if (shape.isGone || shape.isFromFile || !mirror.isInProject(shape.areaPath)) return true
      // An import that was under way during the last sync has kept it since, as it was before.
      if (shape.fetchedAt < at) return true
      const rev = changed.get(shape.id)
      return rev !== undefined && (rev === null || rev > shape.rev)
    },
    mayHaveChanged: (id) => changed.has(id),
  }
}
