import type { Group, Totals } from '../schemas'
import type { ItemForest } from './item-forest'
import { isDone, isOpen, isRemoved, listBlockers, REQUIREMENT_LEVEL, type ReportItem, TASK_LEVEL } from './report-item'

export const NO_TOTALS: Totals = { points: 0, donePoints: 0, items: 0, doneItems: 0, unestimated: 0, blockers: 0 }

/** The totals of each item without its descendants. */
export function computeOwnTotals(lineage: ItemForest): Map<number, Totals> {
  const points = computeCountedPoints(lineage)
  const shares = new Map<number, Totals>()
  for (const item of lineage.inOrder) shares.set(item.id, computeItemTotals(item, points.get(item.id)!))
  return shares
}

function computeItemTotals(item: ReportItem, points: number): Totals {
  if (isRemoved(item)) return NO_TOTALS
  return {
    points,
    donePoints: isDone(item) ? points : 0,
    items: 1,
    doneItems: isDone(item) ? 1 : 0,
    unestimated: isUnestimated(item) ? 1 : 0,
    blockers: listBlockers(item).length,
  }
}

function isUnestimated(item: ReportItem): boolean {
  return item.level === REQUIREMENT_LEVEL && isOpen(item) && !hasEstimate(item)
}

export function sumTotals(a: Totals, b: Totals): Totals {
  const sum = { ...a }
  accumulateTotals(sum, b)
  return sum
}

export function sumItemTotals(items: readonly ReportItem[], shares: ReadonlyMap<number, Totals>): Totals {
  const sum = { ...NO_TOTALS }
  for (const { id } of items) accumulateTotals(sum, shares.get(id) ?? NO_TOTALS)
  return sum
}

/** Adds to `sum` in place, because totals are summed for tens of thousands of items. */
export function accumulateTotals(sum: Totals, more: Totals): void {
  if (more === NO_TOTALS) return
  sum.points = roundPoints(sum.points + more.points)
  sum.donePoints = roundPoints(sum.donePoints + more.donePoints)
  sum.items += more.items
  sum.doneItems += more.doneItems
  sum.unestimated += more.unestimated
  sum.blockers += more.blockers
}

/** From 0 to 1: the completed share of the points, or of the items if there are no points; null if there are no items. */
export function computeCompletion(totals: Totals): number | null {
  if (totals.points > 0) return totals.donePoints / totals.points
  return totals.items > 0 ? totals.doneItems / totals.items : null
}

export const TOTALS_RULE =
  'Totals cover an item and its descendants, without removed items. Each backlog item counts its own estimate, and so does a bug ' +
  'where the process plans bugs on the backlog; tasks and other items below a backlog item add no points; a feature or an epic ' +
  'counts its own estimate only while none of its descendants is estimated.'

/**
 * The points that each item adds to the totals. This is the tracker's own rollup, which sums the estimates of a backlog
 * level, with one addition: a feature's estimate counts until one of its stories is estimated.
 */
function computeCountedPoints({ inOrder, parentOf }: ItemForest): Map<number, number> {
  const roles = assignRoles({ inOrder, parentOf })
  const aboveEstimates = new Set<number>()
  const points = new Map<number, number>()
  // Children come first, so that it is known at a feature whether one of its descendants is estimated.
  for (const item of inOrder.toReversed()) {
    const role = roles.get(item.id)!
    const isAboveEstimates = aboveEstimates.has(item.id)
    const counts = hasEstimate(item) && (role === 'backlog item' || (role === 'container' && !isAboveEstimates))
    const parentId = parentOf.get(item.id)
    if (parentId !== undefined && (counts || isAboveEstimates)) aboveEstimates.add(parentId)
    points.set(item.id, counts ? roundPoints(item.storyPoints ?? 0) : 0)
  }
  return points
}

/**
 * A container's estimate counts while its descendants have none. An item on no backlog is a container unless it is below a
 * backlog item, because an imported file can have types whose level is unknown.
 */
type Role = 'backlog item' | 'container' | 'detail'

function assignRoles({ inOrder, parentOf }: ItemForest): Map<number, Role> {
  const roles = new Map<number, Role>()
  const belowBacklogItem = new Set<number>()
  for (const item of inOrder) {
    const parentId = parentOf.get(item.id)
    const isBelow = parentId !== undefined && (roles.get(parentId) === 'backlog item' || belowBacklogItem.has(parentId))
    if (isBelow) belowBacklogItem.add(item.id)
    roles.set(item.id, determineRole(item, isBelow))
  }
  return roles
}

function determineRole({ level }: ReportItem, isBelowBacklogItem: boolean): Role {
  if (level === REQUIREMENT_LEVEL) return 'backlog item'
  if (level === TASK_LEVEL || (level === null && isBelowBacklogItem)) return 'detail'
  return 'container'
}

/** A larger number is taken for a typing error and counts as no estimate. */
const MAX_POINTS = 1_000_000

export function hasEstimate(item: ReportItem): boolean {
  const { storyPoints } = item
  return !isRemoved(item) && storyPoints !== null && storyPoints >= 0 && storyPoints <= MAX_POINTS
}

/** Rounds to six decimals, so that a sum does not depend on the order of its terms. */
export function roundPoints(points: number): number {
  return Math.round(points * 1e6) / 1e6
}

/** Leaves out removed items. The largest group comes first, then by name. */
export function groupItems(
  items: readonly ReportItem[],
  shares: ReadonlyMap<number, Totals>,
  nameOf: (item: ReportItem) => string | null,
): Group[] {
  const members = new Map<string | null, ReportItem[]>()
  for (const item of items) {
    if (isRemoved(item)) continue
    const name = nameOf(item)
    const group = members.get(name)
    if (group) group.push(item)
    else members.set(name, [item])
  }
  const groups = [...members].map(([name, group]) => {
    const totals = sumItemTotals(group, shares)
    return { name, totals, completion: computeCompletion(totals) }
  })
  return groups.sort((a, b) => b.totals.items - a.totals.items || ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
}

/** Names a person by display name, and adds the account where two people share a display name. */
export function createAssigneeNamer(items: readonly ReportItem[]): (item: ReportItem) => string | null {
  const accounts = new Map<string, Set<string | null>>()
  for (const { assignedTo } of items) {
    if (!assignedTo) continue
    const known = accounts.get(assignedTo.displayName) ?? new Set()
    accounts.set(assignedTo.displayName, known.add(assignedTo.uniqueName))
  }
  return ({ assignedTo }) => {
    if (!assignedTo) return null
    const { displayName, uniqueName } = assignedTo
    return uniqueName !== null && accounts.get(displayName)!.size > 1 ? `${displayName} <${uniqueName}>` : displayName
  }
}
