import { compute, ofThePart, StudioError } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { TrackerItem } from '../../../tracker'
import { findItemSummaries, findLatestFields } from '../../queries'
import { findParentConflict, type LinkUpdates, planLinks } from '../../rules/link-updates'
import { itemTasks } from '../../rules/tasks'
import type { FieldUpdate } from '../../rules/update-fields'
import { formatConflict, type ItemOutcome } from '../../rules/update-plan'
import { refreshLinkedItems } from '../import/refresh-linked-items'
import { refreshPredecessors } from '../import/refresh-related'
import { upsertItems } from '../import/upsert-items'
import type { TrackerLink } from '../tracker-identity'
import type { TrackerWorkspaceContext } from '../workspace-context'

/**
 * Finds items that another user has changed since the cached snapshot, which is what the caller saw. The updates are merged by field; if
 * both changed the same field, the item is in conflict and is not sent.
 */
export async function findSnapshotConflicts(
  ctx: TrackerWorkspaceContext,
  items: readonly TrackerItem[],
  {
    updates,
    links,
    seen: given,
  }: {
    updates: readonly FieldUpdate[]
    links: LinkUpdates | null
    /** What the caller saw of the one item, in place of its snapshot. */
    seen?: Readonly<Record<string, unknown>> | undefined
  },
): Promise<[number, ItemOutcome][]> {
  const { cached, snapshots } = await ctx.db.read(async (tx) => {
    const cached = await findItemSummaries(
      tx,
      items.map(({ id }) => id),
    )
    const stale = items.filter(({ id, rev }) => cached.has(id) && cached.get(id)!.rev !== rev)
    const snapshots = await findLatestFields(
      tx,
      stale.map(({ id }) => id),
    )
    return { cached, snapshots }
  })
  const outcomes: [number, ItemOutcome][] = []
  for (const item of items) {
    const known = cached.get(item.id)
    const base = given ?? snapshots.get(item.id)
    // The caller has not seen the fields that a file lacks.
    const seen = known?.isFromFile
      ? updates.filter(({ field }) => base && Object.hasOwn(base, field.referenceName))
      : updates
    const conflicts = [
      ...(base ? await compute(ctx, itemTasks.findConflictingChanges, base, item, seen) : []),
      // A change of the parent makes no revision.
      ...(known && !known.isFromFile && links ? findParentConflict(known.parentId, item, links) : []),
    ]
    if (conflicts.length === 0) continue
    outcomes.push([item.id, { status: 'conflict', rev: item.rev, message: formatConflict(conflicts, item) }])
  }
  return outcomes
}

interface ItemsAfterSending {
  read: readonly TrackerItem[]
  changed: readonly TrackerItem[]
  /** Whether there are outcomes that an error must not hide. */
  isSent: boolean
  /** When reading began, ISO 8601. */
  at: string
  /** The links that were changed, or null. */
  links?: LinkUpdates | null
}

/**
 * Saves the items as the tracker has them now, so that a second attempt starts from there. If something was sent and cannot be saved,
 * returns the problem instead of throwing, because the caller must learn what the tracker did.
 */
export async function saveAfterSending(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { read, changed, isSent, at, links = null }: ItemsAfterSending,
): Promise<string | null> {
  // An item that was sent again is listed several times; the last one is current.
  const latest = new Map(changed.map((item) => [item.id, item]))
  const unchanged = read.filter(({ id }) => !latest.has(id))
  const withoutPredecessors = (item: TrackerItem) => ({ item, predecessors: null })
  const now = formatInstant(ctx.clock.now())
  try {
    await ctx.db.write(async (tx) => {
      if (read.length > 0) await link.claim(tx)
      await upsertItems(tx, [...latest.values()].map(withoutPredecessors), { at: now, since: at })
      await upsertItems(tx, unchanged.map(withoutPredecessors), { at })
    })
  } catch (error) {
    if (!(error instanceof StudioError) || !isSent) throw error
    return `The cached item was not updated: ${ofThePart(error.message)}`
  }
  if (links) await refreshOtherEnds(ctx, link, { read, changed: [...latest.values()], links, at: now })
  const readIds = new Set(read.map(({ id }) => id))
  await refreshPredecessors(ctx, link.tracker, { of: (id) => readIds.has(id), mayHaveChanged: () => false }).catch(
    (error: unknown) => ctx.log.warn('predecessors could not be read', { error: String(error) }),
  )
  return null
}

/** A change of a link changes the items at both ends. Those at the other end are read again if they are cached. */
async function refreshOtherEnds(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  {
    read,
    changed,
    links,
    at,
  }: { read: readonly TrackerItem[]; changed: readonly TrackerItem[]; links: LinkUpdates; at: string },
): Promise<void> {
  const changedIds = new Set(changed.map(({ id }) => id))
  const plans = read.filter(({ id }) => changedIds.has(id)).map((item) => planLinks(item, links))
  const others = new Set(plans.flatMap(({ add, remove }) => [...add, ...remove]).map(({ id }) => id))
  await refreshLinkedItems(ctx, link, { ids: [...others].filter((id) => !changedIds.has(id)), at })
}
