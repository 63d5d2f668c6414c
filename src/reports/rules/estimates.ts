import { isRemoved, REQUIREMENT_LEVEL, type ReportItem, TASK_LEVEL } from './item'
import type { Lineage } from './lineage'

export const TOTALS_RULE =
  'Totals are of an item and all below it, without removed items. Each backlog item counts its own estimate, and so does a bug ' +
  'where the process plans bugs on the backlog; tasks, and other items below a backlog item, add no points; a feature or an epic ' +
  'counts its own estimate only while nothing below it is estimated.'

/**
 * The points that each item itself adds to the totals. This is the tracker's own rollup, which sums the estimates of a
 * backlog level, with one addition: the estimate of a feature stands in until its stories have theirs.
 */
export function countedPointsOf({ inOrder, parentOf }: Lineage): Map<number, number> {
  const roles = rolesOf({ inOrder, parentOf })
  const aboveEstimates = new Set<number>()
  const points = new Map<number, number>()
  // Children first, so that a feature knows whether anything below it is estimated.
  for (const item of inOrder.toReversed()) {
    const role = roles.get(item.id)!
    const isAboveEstimates = aboveEstimates.has(item.id)
    const counts = hasEstimate(item) && (role === 'backlog item' || (role === 'container' && !isAboveEstimates))
    const parentId = parentOf.get(item.id)
    if (parentId !== undefined && (counts || isAboveEstimates)) aboveEstimates.add(parentId)
    points.set(item.id, counts ? onGrid(item.storyPoints ?? 0) : 0)
  }
  return points
}

/**
 * A container's estimate stands in for those below it. An item on no backlog is a container unless a backlog item is above
 * it, because a file may hold types whose level is not known.
 */
type Role = 'backlog item' | 'container' | 'detail'

function rolesOf({ inOrder, parentOf }: Lineage): Map<number, Role> {
  const roles = new Map<number, Role>()
  const belowBacklogItem = new Set<number>()
  for (const item of inOrder) {
    const parentId = parentOf.get(item.id)
    const isBelow = parentId !== undefined && (roles.get(parentId) === 'backlog item' || belowBacklogItem.has(parentId))
    if (isBelow) belowBacklogItem.add(item.id)
    roles.set(item.id, roleOf(item, isBelow))
  }
  return roles
}

function roleOf({ level }: ReportItem, isBelowBacklogItem: boolean): Role {
  if (level === REQUIREMENT_LEVEL) return 'backlog item'
  if (level === TASK_LEVEL || (level === null && isBelowBacklogItem)) return 'detail'
  return 'container'
}

/** A larger number is a typing error, and is shown as not estimated. */
const MOST_POINTS = 1_000_000

export function hasEstimate(item: ReportItem): boolean {
  const { storyPoints } = item
  return !isRemoved(item) && storyPoints !== null && storyPoints >= 0 && storyPoints <= MOST_POINTS
}

/** Sums are rounded to six decimals, so that they do not depend on the order of adding. */
export function onGrid(points: number): number {
  return Math.round(points * 1e6) / 1e6
}
