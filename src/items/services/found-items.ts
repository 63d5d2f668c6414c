import { getTrackerName } from '../../kernel/text/item-reference'
import { formatInstant } from '../../kernel/time'
import { type FetchedItem, findItemSummaries } from '../queries'
import { findBlockers } from '../rules/blockers'
import { toWorkItem } from '../rules/cached-item'
import { createReference, showReference } from '../rules/item-reference'
import type { FoundItem } from '../schemas'
import type { TrackerWorkspaceContext } from './workspace-context'

/** Items as the tracker has them, for an answer. Nothing is saved. */
export async function presentFound(
  ctx: TrackerWorkspaceContext,
  fetched: readonly FetchedItem[],
  trackerName: string | null,
): Promise<FoundItem[]> {
  const ids = fetched.map(({ item }) => item.id)
  const cached = await ctx.db.read((tx) => findItemSummaries(tx, ids))
  const fetchedAt = formatInstant(ctx.clock.now())
  return fetched.map(({ item, predecessors }) => {
    const blocked = findBlockers({ ...item, predecessors })
    const reference = createReference(item, trackerName)
    const shown = {
      ...item,
      tracker: getTrackerName(reference),
      reference: showReference(item.id, reference),
      predecessors: [...predecessors],
      blocked,
      remoteRev: item.rev,
      fetchedAt,
      fromFile: null,
    }
    return { ...toWorkItem(shown), localRev: cached.get(item.id)?.rev ?? 0 }
  })
}
