import type { AvailableFeature } from '../schemas'
import { type ReportTree, selectScope, splitIntoTrees } from './item-forest'
import type { ReportItem } from './report-item'
import { computeCompletion, computeOwnTotals, sumItemTotals } from './totals'

/**
 * The features that can be designated: the designated ones first, in their order, then the others by ID. Yields after each step. Removed
 * features are not among them, unless one of their descendants is not removed.
 */
export function* listAvailableFeatures(
  items: readonly ReportItem[],
  designated: readonly number[],
): Generator<void, AvailableFeature[]> {
  const { lineage, featureIds } = selectScope(items, [])
  yield
  const shares = computeOwnTotals(lineage)
  yield
  const trees = splitIntoTrees(lineage, featureIds).filter((tree) => tree.isFeature)
  yield
  const available: AvailableFeature[] = []
  for (const { root, items } of sortDesignatedFirst(trees, designated)) {
    const totals = sumItemTotals(items, shares)
    yield
    if (totals.items === 0) continue
    const { id, tracker, reference, title, state } = root
    available.push({ id, tracker, reference, title, state, completion: computeCompletion(totals) })
  }
  return available
}

/** Designated features come first, in their order; all other trees are ordered by ID, as they are given. */
export function sortDesignatedFirst(trees: readonly ReportTree[], designated: readonly number[]): ReportTree[] {
  const places = new Map(designated.map((id, place) => [id, place]))
  const placeOf = (tree: ReportTree) => places.get(tree.root.id) ?? designated.length
  return trees.toSorted((a, b) => placeOf(a) - placeOf(b))
}
