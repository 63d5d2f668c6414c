import type { WriteTx } from '../storage'
import type { MissingItem, TrackerItem } from '../tracker'
import type { MirrorContext } from './context'
import { cachedRevisions, saveFetchedItem } from './queries'
import type { Predecessor } from './rules/blocked'

/** An item as the tracker has it, with the state of those it waits for. */
export interface FetchedItem {
  item: TrackerItem
  predecessors: Predecessor[]
}

/** Reads items from the tracker, and what they wait for: a predecessor need not be among them to hold one up. */
export async function fetchItems(
  ctx: MirrorContext,
  ids: readonly number[],
  label: string,
): Promise<{ fetched: FetchedItem[]; missing: MissingItem[] }> {
  const tracker = await ctx.tracker()
  const { items, missing } = await tracker.getItems(ids, {
    signal: ctx.signal,
    onProgress: (done, total) => ctx.progress({ label, done, total }),
  })
  const known = new Map(items.map((item) => [item.id, item]))
  const outside = [...new Set(items.flatMap((item) => item.predecessorIds))].filter((id) => !known.has(id))
  if (outside.length > 0) {
    const others = await tracker.getItems(outside, { signal: ctx.signal })
    for (const other of others.items) known.set(other.id, other)
  }
  return { fetched: items.map((item) => ({ item, predecessors: predecessorsOf(item, known) })), missing }
}

function predecessorsOf(item: TrackerItem, known: ReadonlyMap<number, TrackerItem>): Predecessor[] {
  return item.predecessorIds.map((id) => {
    const other = known.get(id)
    return { id, title: other?.title ?? '', stateCategory: other?.stateCategory ?? null }
  })
}

export interface SaveCounts {
  imported: number
  updated: number
  unchanged: number
}

/**
 * Keeps what is news: a new revision, or other links. That a predecessor has moved on is kept too, though it is no change
 * of the item itself.
 */
export async function saveFetched(tx: WriteTx, fetched: readonly FetchedItem[], at: string): Promise<SaveCounts> {
  const counts: SaveCounts = { imported: 0, updated: 0, unchanged: 0 }
  const cached = await cachedRevisions(
    tx,
    fetched.map(({ item }) => item.id),
  )
  for (const { item, predecessors } of fetched) {
    const known = cached.get(item.id)
    const same = known?.rev === item.rev && known.relationsFingerprint === item.relationsFingerprint
    if (!same || known.predecessors !== JSON.stringify(predecessors))
      await saveFetchedItem(tx, item, { predecessors, at })
    counts[same ? 'unchanged' : known ? 'updated' : 'imported'] += 1
  }
  return counts
}
