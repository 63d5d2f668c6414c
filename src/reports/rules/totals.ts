import { blockersOn } from './blockers'
import { countedPointsOf, hasEstimate, onGrid } from './estimates'
import { isDone, isOpen, isRemoved, REQUIREMENT_LEVEL, type ReportItem } from './item'
import type { Lineage } from './lineage'

/** Additive: the totals of a whole are the sum over its items, each counted once. */
export interface Totals {
  points: number
  donePoints: number
  items: number
  doneItems: number
  /** Open items at requirement level that have no estimate of their own. */
  unestimated: number
  /** Signals, so that an item held up twice counts twice. */
  blockers: number
}

export const noTotals: Totals = { points: 0, donePoints: 0, items: 0, doneItems: 0, unestimated: 0, blockers: 0 }

/** What each item brings by itself. */
export function shareOfEach(lineage: Lineage): Map<number, Totals> {
  const points = countedPointsOf(lineage)
  const shares = new Map<number, Totals>()
  for (const item of lineage.inOrder) shares.set(item.id, shareOf(item, points.get(item.id)!))
  return shares
}

function shareOf(item: ReportItem, points: number): Totals {
  if (isRemoved(item)) return noTotals
  return {
    points,
    donePoints: isDone(item) ? points : 0,
    items: 1,
    doneItems: isDone(item) ? 1 : 0,
    unestimated: isUnestimated(item) ? 1 : 0,
    blockers: blockersOn(item).length,
  }
}

function isUnestimated(item: ReportItem): boolean {
  return item.level === REQUIREMENT_LEVEL && isOpen(item) && !hasEstimate(item)
}

export function plus(a: Totals, b: Totals): Totals {
  const sum = { ...a }
  add(sum, b)
  return sum
}

export function sumOver(items: readonly ReportItem[], shares: ReadonlyMap<number, Totals>): Totals {
  const sum = { ...noTotals }
  for (const { id } of items) add(sum, shares.get(id) ?? noTotals)
  return sum
}

/** To `sum` itself. */
export function add(sum: Totals, more: Totals): void {
  if (more === noTotals) return
  sum.points = onGrid(sum.points + more.points)
  sum.donePoints = onGrid(sum.donePoints + more.donePoints)
  sum.items += more.items
  sum.doneItems += more.doneItems
  sum.unestimated += more.unestimated
  sum.blockers += more.blockers
}

/** From 0 to 1: the done share of the points, of the items where there are no points, null where there is nothing. */
export function completionOf(totals: Totals): number | null {
  if (totals.points > 0) return totals.donePoints / totals.points
  return totals.items > 0 ? totals.doneItems / totals.items : null
}
