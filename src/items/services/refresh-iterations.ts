import type { Tracker } from '../../tracker'
import { listIterations, replaceIterations } from '../queries'
import type { TrackerWorkspaceContext } from './workspace-context'

/**
 * Stores the dates of the tracker's iterations, which reports compare with open work. They are asked for when items have
 * changed, because a plan moves with its items, and when none are stored yet. A tracker that does not show them changes nothing.
 */
export async function refreshIterations(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { hasNews }: { hasNews: boolean },
): Promise<void> {
  const stored = await ctx.db.read(listIterations)
  if (!hasNews && stored.length > 0) return
  const told = await tracker.listIterations(ctx.signal)
  if (told === null) return
  const byPath = new Map(told.map(({ path, finishDate }) => [path, { path, finish_date: finishDate }]))
  const rows = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  if (JSON.stringify(rows) !== JSON.stringify(stored)) await ctx.db.write((tx) => replaceIterations(tx, rows))
}
