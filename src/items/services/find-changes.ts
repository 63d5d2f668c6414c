import type { ChangePosition, TrackerChanges } from '../../tracker'
import type { KeptShape } from '../queries'
import type { MirrorContext } from './context'
import type { Mirror } from './mirror'

/** What the tracker's feed tells of kept items. */
export interface FoundChanges {
  /** From where to ask on; null where there is no feed. */
  position: string | null
  /** Whether the item, kept in this shape, may be another one now. Without a feed any may. */
  mayDiffer(shape: KeptShape): boolean
  /** The same of one that is not kept. */
  mayHaveChanged(id: number): boolean
}

export const anyMayDiffer: FoundChanges = { position: null, mayDiffer: () => true, mayHaveChanged: () => true }

/**
 * Asks the tracker's feed what has changed since the items were last known to be as the tracker has them. The feed is the project's,
 * so items of other projects may always differ, as may those that were gone.
 */
export async function findChanges(
  ctx: MirrorContext,
  mirror: Mirror,
  { shapes, mostPages }: { shapes: readonly KeptShape[]; mostPages: number },
): Promise<FoundChanges> {
  const read = shapes.filter(({ isFromFile }) => !isFromFile)
  if (read.length === 0) return anyMayDiffer
  const { start, at } = startFor(mirror, read)
  const changes = await mirror.tracker.readChanges(start, { signal: ctx.signal, mostPages })
  return changes === null ? anyMayDiffer : told(changes, { mirror, at })
}

interface Start {
  start: ChangePosition
  /** The moment from which on the feed is asked, ISO 8601. */
  at: string
}

/** From the last sync, or from the oldest item where there was none since. */
function startFor({ kept }: Mirror, shapes: readonly KeptShape[]): Start {
  const oldest = shapes.reduce((least, { fetchedAt }) => (fetchedAt < least ? fetchedAt : least), shapes[0]!.fetchedAt)
  const isCloser = kept !== null && kept.syncedAt !== null && kept.syncedAt >= oldest
  return isCloser && kept.position !== null
    ? { start: { since: Date.parse(kept.syncedAt!), after: kept.position }, at: kept.syncedAt! }
    : { start: { since: Date.parse(oldest) }, at: oldest }
}

function told({ changed, position }: TrackerChanges, { mirror, at }: { mirror: Mirror; at: string }): FoundChanges {
  return {
    position,
    mayDiffer(shape) {
      if (shape.isGone || shape.isFromFile || !mirror.isOfProject(shape.areaPath)) return true
      // An import that was under way during the last sync has kept it since, as it was before.
      if (shape.fetchedAt < at) return true
      const rev = changed.get(shape.id)
      return rev !== undefined && (rev === null || rev > shape.rev)
    },
    mayHaveChanged: (id) => changed.has(id),
  }
}
