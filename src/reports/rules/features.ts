import { REQUIREMENT_LEVEL } from './item'
import type { Lineage } from './lineage'

export const FEATURES_RULE =
  'A feature is an item of the lowest backlog level above requirements that the workspace holds; where it holds none, a ' +
  'root that has children. A feature below another one is a part of it. What stands above the features, or below none, ' +
  'belongs to no feature.'

/**
 * Which items are features. Levels come from the tracker's process, so that Basic (Epic > Issue > Task) and renamed types
 * are read right; the name of a type says nothing.
 */
export function featureIdsOf({ inOrder, parentOf }: Lineage): Set<number> {
  const levels = inOrder.flatMap(({ level }) => (level !== null && level > REQUIREMENT_LEVEL ? [level] : []))
  if (levels.length > 0) {
    const lowest = levels.reduce((low, level) => Math.min(low, level))
    return new Set(inOrder.filter((item) => item.level === lowest).map((item) => item.id))
  }
  const parents = new Set(parentOf.values())
  return new Set([...parents].filter((id) => !parentOf.has(id)))
}
