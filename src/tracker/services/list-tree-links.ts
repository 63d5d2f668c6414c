import type { TreeLink } from '../tracker'

/** Lists the links below an item, parents before children, each child once, even if there are cycles. */
export function listTreeLinks(rootId: number, children: ReadonlyMap<number, readonly number[]>): TreeLink[] {
  const links: TreeLink[] = []
  const seen = new Set([rootId])
  const queue = [rootId]
  for (const parentId of queue) {
    for (const childId of children.get(parentId) ?? []) {
      if (seen.has(childId)) continue
      seen.add(childId)
      queue.push(childId)
      links.push({ parentId, childId })
    }
  }
  return links
}

/**
 * Reads the trees below items level by level. `readLevel` adds the children of each item, and of any items below that it has read too, and
 * returns the items whose children are still to be read.
 */
export async function walkTrees(
  rootIds: readonly number[],
  readLevel: (ids: readonly number[], children: Map<number, number[]>) => Promise<readonly number[]>,
): Promise<Map<number, TreeLink[]>> {
  const children = new Map<number, number[]>()
  for (let level = [...new Set(rootIds)]; level.length > 0; ) {
    const next = await readLevel(level, children)
    level = [...new Set(next)].filter((id) => !children.has(id))
  }
  return new Map(rootIds.map((rootId) => [rootId, listTreeLinks(rootId, children)]))
}
