import type { WriteTx } from '../../storage'
import type { MissingItem, Tracker, TrackerItem } from '../../tracker'
import type { Predecessor } from '../rules/blockers'
import { openTrackerLink } from './tracker-link'
import { type SaveCounts, upsertItems } from './upsert-items'
import type { TrackerWorkspaceContext } from './workspace-context'

/** An item as the tracker has it, with the state of those it waits for. */
export interface FetchedItem {
  item: TrackerItem
  predecessors: Predecessor[]
}

/** Reads items from the tracker that is mirrored here, to be kept. */
export async function fetchItems(
  ctx: TrackerWorkspaceContext,
  ids: readonly number[],
  label: string,
): Promise<{ fetched: FetchedItem[]; missing: MissingItem[] }> {
  const { tracker, stored: kept, claim } = await openTrackerLink(ctx)
  const read = await readItems(ctx, tracker, { ids, label })
  if (kept === null && read.fetched.length > 0) await ctx.db.write(claim)
  return read
}

/** Reads items, and what they wait for: a predecessor need not be among them to hold one up. */
export async function readItems(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { ids, label }: { ids: readonly number[]; label: string },
): Promise<{ fetched: FetchedItem[]; missing: MissingItem[] }> {
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
  return { fetched: items.map((item) => ({ item, predecessors: resolvePredecessors(item, known) })), missing }
}

function resolvePredecessors(item: TrackerItem, known: ReadonlyMap<number, TrackerItem>): Predecessor[] {
  return item.predecessorIds.map((id) => {
    const other = known.get(id)
    return { id, title: other?.title ?? '', stateCategory: other?.stateCategory ?? null }
  })
}

/** Keeps what was fetched, as far as it is news. */
export async function saveFetched(tx: WriteTx, fetched: readonly FetchedItem[], at: string): Promise<SaveCounts> {
  return (await upsertItems(tx, fetched, { at })).counts
}
