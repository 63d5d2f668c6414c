import type { TreeLink } from '../tracker'
import { TrackerError } from './requests/tracker-error'

/** No tree has as many levels. A tracker that always names new children must not keep a command reading forever. */
const MAX_LEVELS = 1000

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
  let level = [...new Set(rootIds)]
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS)
      throw new TrackerError('tracker_answer', `The tracker's tree has more than ${MAX_LEVELS} levels.`)
    const next = await readLevel(level, children)
    level = [...new Set(next)].filter((id) => !children.has(id))
  }
  return new Map(rootIds.map((rootId) => [rootId, listTreeLinks(rootId, children)]))
}
