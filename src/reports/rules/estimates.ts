import { isRemoved, type ReportItem, TASK_LEVEL } from './item'
import type { Lineage } from './lineage'

export const TOTALS_RULE =
  'Totals are of an item and all below it; removed items count in none. Every point counts once: the estimate of a whole ' +
  'until a part of it is estimated, then those of the parts; an estimate at task level never replaces one above it.'

export interface Estimate {
  /** Points that this item itself brings to the totals; 0 where others speak for it, or it for none. */
  counted: number
  /** Neither it nor anything below it has an estimate. */
  isMissing: boolean
}

/** How much an estimate weighs. Of a whole and its parts those with the greater weight count, and of equals the parts. */
const NONE = 0
const OF_A_TASK = 1
const OF_A_BACKLOG_ITEM = 2

/** Which points count, so that a feature's own estimate, its stories' and their tasks' are never added up. */
export function estimatesOf({ inOrder, parentOf }: Lineage): Map<number, Estimate> {
  const below = weightsBelow({ inOrder, parentOf })
  /** Items with one above them, or themselves, whose estimate counts for all that is below it. */
  const spokenFor = new Set<number>()
  const estimates = new Map<number, Estimate>()
  for (const item of inOrder) {
    const parentId = parentOf.get(item.id)
    const isSpokenFor = parentId !== undefined && spokenFor.has(parentId)
    const weightBelow = below.get(item.id) ?? NONE
    const counts = !isSpokenFor && weightOf(item) > weightBelow
    if (counts || isSpokenFor) spokenFor.add(item.id)
    estimates.set(item.id, {
      counted: counts ? onGrid(item.storyPoints ?? 0) : 0,
      isMissing: Math.max(weightOf(item), weightBelow) === NONE,
    })
  }
  return estimates
}

/** The greatest weight among all descendants of each item. */
function weightsBelow({ inOrder, parentOf }: Lineage): Map<number, number> {
  const below = new Map<number, number>()
  for (let i = inOrder.length - 1; i >= 0; i--) {
    const item = inOrder[i]!
    const parentId = parentOf.get(item.id)
    if (parentId === undefined) continue
    const weight = Math.max(weightOf(item), below.get(item.id) ?? NONE)
    if (weight > (below.get(parentId) ?? NONE)) below.set(parentId, weight)
  }
  return below
}

function weightOf(item: ReportItem): number {
  if (isRemoved(item) || !isEstimate(item.storyPoints)) return NONE
  return item.level === TASK_LEVEL ? OF_A_TASK : OF_A_BACKLOG_ITEM
}

/** What lies beyond is a slip of the keyboard, and is shown as not estimated rather than believed. */
const MOST_POINTS = 1_000_000

function isEstimate(points: number | null): boolean {
  return points !== null && points >= 0 && points <= MOST_POINTS
}

/** Sums are kept to six decimals, so that they do not depend on the order of adding. */
export function onGrid(points: number): number {
  return Math.round(points * 1e6) / 1e6
}
