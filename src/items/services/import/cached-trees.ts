import { listTreeLinks, type TreeLink } from '../../../tracker'
import { findTreeSummaries, type ItemSummary } from '../../queries'
import type { TrackerLink } from '../tracker-identity'
import type { TrackerWorkspaceContext } from '../workspace-context'

/** Smaller trees are read with few requests anyway. */
const MIN_ITEMS = 400

/**
 * The links of the trees as they are cached, if the tracker confirms that no item was added to the trees or has left them. Null if it does
 * not. Items that have moved within a tree are changed items, so their import shows their new parents.
 */
export async function confirmCachedTrees(
  ctx: TrackerWorkspaceContext,
  { tracker }: TrackerLink,
  rootIds: readonly number[],
): Promise<Map<number, TreeLink[]> | null> {
  const cached = await ctx.db.read((tx) => findTreeSummaries(tx, rootIds))
  const current = [...cached.values()].filter(({ isGone, isFromFile }) => !isGone && !isFromFile)
  const trees = linkByParents(rootIds, current)
  const known = new Set(current.map(({ id }) => id))
  const children = new Set([...trees.values()].flatMap((links) => links.map(({ childId }) => childId)))
  if (children.size < MIN_ITEMS || !rootIds.every((id) => known.has(id))) return null
  const found = await tracker.findChildren([...new Set([...rootIds, ...children])], ctx.signal)
  return found !== null && isSameSet(found, children) ? trees : null
}

/** The links below each root, by the parents of the items. */
export function linkByParents(
  rootIds: readonly number[],
  items: Iterable<Pick<ItemSummary, 'id' | 'parentId'>>,
): Map<number, TreeLink[]> {
  const children = new Map<number, number[]>()
  for (const { id, parentId } of items) {
    if (parentId === null) continue
    const siblings = children.get(parentId)
    if (siblings === undefined) children.set(parentId, [id])
    else siblings.push(id)
  }
  return new Map(rootIds.map((id) => [id, listTreeLinks(id, children)]))
}

function isSameSet(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id))
}
