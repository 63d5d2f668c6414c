import type { TrackerItem } from '../../tracker'
import { nameTrackerItem } from './item-reference'

/** Why an item of the type cannot be below the parent; null if it can. Items of the same level may be below each other. */
export function findParentProblem(
  child: Pick<TrackerItem, 'type' | 'level'>,
  parent: Pick<TrackerItem, 'id' | 'key' | 'type' | 'level'>,
): string | null {
  const isAllowed = parent.level === null || child.level === null || parent.level >= child.level
  return isAllowed
    ? null
    : `${nameTrackerItem(parent)} (${parent.type}) cannot be the parent of an item of type ${child.type}`
}
