import type { Tracker } from '../../../tracker'
import {
  type DependentItem,
  findCachedIds,
  hasPlannedItems,
  listDependentItems,
  listIterations,
  replaceIterations,
  savePredecessors,
} from '../../queries'
import type { Predecessor } from '../../rules/blockers'
import type { TrackerLink } from '../tracker-identity'
import type { TrackerWorkspaceContext } from '../workspace-context'

interface RefreshOptions {
  /** Selects the dependent items. */
  of(id: number): boolean
  /** Whether a predecessor may have changed. Predecessors of unknown state are always read. */
  mayHaveChanged(id: number): boolean
}

/** Reads the predecessors that are not cached themselves, because they can block cached items too. */
export async function refreshPredecessors(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { of, mayHaveChanged }: RefreshOptions,
): Promise<void> {
  const { dependents, cached } = await ctx.db.read(async (tx) => {
    const dependents = (await listDependentItems(tx)).filter(({ id }) => of(id))
    const ids = new Set(dependents.flatMap(({ predecessors }) => predecessors.map(({ id }) => id)))
    return { dependents, cached: await findCachedIds(tx, [...ids]) }
  })
  const outside = dependents.flatMap(({ predecessors }) => predecessors.filter(({ id }) => !cached.has(id)))
  const toRead = outside.filter((predecessor) => isUnknown(predecessor) || mayHaveChanged(predecessor.id))
  if (toRead.length === 0) return
  const { items } = await tracker.getItems([...new Set(toRead.map(({ id }) => id))], { signal: ctx.signal })
  const current = new Map(items.map(({ id, title, stateCategory }) => [id, { id, title, stateCategory }]))
  const changed = dependents.flatMap(({ id, predecessors: before }): DependentItem[] => {
    const predecessors = before.map((predecessor) => current.get(predecessor.id) ?? predecessor)
    return JSON.stringify(predecessors) === JSON.stringify(before) ? [] : [{ id, predecessors }]
  })
  if (changed.length > 0) await ctx.db.write((tx) => savePredecessors(tx, changed))
}

function isUnknown({ title, stateCategory }: Predecessor): boolean {
  return title === '' && stateCategory === null
}

/**
 * Stores the dates of the tracker's iterations, which reports compare with open work. They are requested when items have
 * changed, because a plan moves with its items, and when they are not stored yet, unless no item is in an iteration. The first import takes
 * those that its items name, if the tracker's items do, which costs no request. A tracker that does not return them changes nothing.
 */
export async function refreshIterations(
  ctx: TrackerWorkspaceContext,
  { tracker, findId }: Pick<TrackerLink, 'tracker' | 'findId'>,
  { hasNews }: { hasNews: boolean },
): Promise<void> {
  const trackerId = await ctx.db.read(findId)
  if (trackerId === null) return
  const { stored, isPlanned } = await ctx.db.read(async (tx) => {
    const rows = await listIterations(tx, trackerId)
    const stored = rows.map(({ path, finish_date, start_date }) => ({ path, finish_date, start_date }))
    return { stored, isPlanned: stored.length > 0 || (await hasPlannedItems(tx)) }
  })
  if (!isPlanned || (!hasNews && stored.length > 0)) return
  const named = stored.length === 0 ? (tracker.listNamedIterations?.() ?? null) : null
  const iterations = named ?? (await tracker.listIterations(ctx.signal))
  if (iterations === null) return
  const byPath = new Map(
    iterations.map(({ path, startDate, finishDate }) => [
      path,
      { path, finish_date: finishDate, start_date: startDate },
    ]),
  )
  const rows = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  if (JSON.stringify(rows) !== JSON.stringify(stored))
    await ctx.db.write((tx) => replaceIterations(tx, trackerId, rows))
}
