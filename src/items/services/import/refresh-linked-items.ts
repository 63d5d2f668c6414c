import { findCachedIds } from '../../queries'
import type { TrackerLink } from '../tracker-identity'
import type { TrackerWorkspaceContext } from '../workspace-context'
import { upsertItems } from './upsert-items'

/** Reads those of the items again that are cached, because a link to them was added or removed. An error is logged only. */
export async function refreshLinkedItems(
  ctx: TrackerWorkspaceContext,
  { tracker }: TrackerLink,
  { ids, at }: { ids: readonly number[]; at: string },
): Promise<void> {
  try {
    const cached = await ctx.db.read((tx) => findCachedIds(tx, ids))
    if (cached.size === 0) return
    const { items } = await tracker.getItems([...cached], { signal: ctx.signal })
    const fetched = items.map((item) => ({ item, predecessors: null }))
    await ctx.db.write((tx) => upsertItems(tx, fetched, { at }))
  } catch (error) {
    ctx.log.warn('items at the other end of a link could not be read', { error: String(error) })
  }
}
