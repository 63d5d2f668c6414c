import type { Tracker } from '../../tracker'
import { type DependentItem, findCachedIds, listDependentItems, savePredecessors } from '../queries'
import type { Predecessor } from '../rules/blockers'
import type { TrackerWorkspaceContext } from './workspace-context'

/**
 * Asks for those that kept items wait for and that are not kept themselves: they need not be here to hold one up.
 * `isDoubtful` tells which of them may have changed; what was never known is asked for anyway.
 */
export async function refreshPredecessors(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { of, isDoubtful }: { of(id: number): boolean; isDoubtful(id: number): boolean },
): Promise<void> {
  const { waiting, kept } = await ctx.db.read(async (tx) => {
    const waiting = (await listDependentItems(tx)).filter((item) => of(item.id))
    return { waiting, kept: await findCachedIds(tx, predecessorIds(waiting)) }
  })
  const outside = waiting.flatMap(({ predecessors }) => predecessors.filter(({ id }) => !kept.has(id)))
  const wanted = [...new Set(outside.filter((one) => isUnknown(one) || isDoubtful(one.id)).map(({ id }) => id))]
  if (wanted.length === 0) return
  const { items } = await tracker.getItems(wanted, { signal: ctx.signal })
  const now = new Map(items.map(({ id, title, stateCategory }) => [id, { id, title, stateCategory }]))
  const news = waiting.flatMap(({ id, predecessors }): DependentItem[] => {
    const seen = predecessors.map((predecessor) => now.get(predecessor.id) ?? predecessor)
    return JSON.stringify(seen) === JSON.stringify(predecessors) ? [] : [{ id, predecessors: seen }]
  })
  if (news.length > 0) await ctx.db.write((tx) => savePredecessors(tx, news))
}

function predecessorIds(waiting: readonly DependentItem[]): number[] {
  return [...new Set(waiting.flatMap(({ predecessors }) => predecessors.map(({ id }) => id)))]
}

function isUnknown({ title, stateCategory }: Predecessor): boolean {
  return title === '' && stateCategory === null
}
