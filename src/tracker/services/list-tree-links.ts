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
