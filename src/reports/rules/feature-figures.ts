import type { FeatureFigures, Totals } from '../schemas'
import type { ReportTree } from './item-forest'
import { isDone } from './report-item'
import { assessRisk, type RiskContext } from './risks'
import { computeCompletion, sumItemTotals } from './totals'

export const FEATURE_ORDER_RULE =
  'Features with a priority come first, in their order; then those at risk, the open ones and the completed ones, by ID within each.'

/** A removed feature is reported as long as one of its descendants is not removed. Yields after each feature. */
export function* buildFeatureFigures(
  features: readonly ReportTree[],
  shares: ReadonlyMap<number, Totals>,
  { designated, ...context }: RiskContext & { designated: readonly number[] },
): Generator<void, FeatureFigures[]> {
  const priorities = new Map(designated.map((id, index) => [id, index + 1]))
  const figures: FeatureFigures[] = []
  for (const tree of features) {
    const totals = sumItemTotals(tree.items, shares)
    const priority = priorities.get(tree.root.id) ?? null
    if (totals.items > 0) figures.push({ ...buildFigure(tree, totals, context), priority })
    yield
  }
  return figures.sort((a, b) => comparePriorities(a, b) || getSortRank(a) - getSortRank(b) || a.id - b.id)
}

/** Features without a priority come last. */
function comparePriorities(a: FeatureFigures, b: FeatureFigures): number {
  const [first, second] = [a.priority ?? Infinity, b.priority ?? Infinity]
  return first === second ? 0 : first - second
}

function buildFigure(tree: ReportTree, totals: Totals, context: RiskContext): Omit<FeatureFigures, 'priority'> {
  const { id, tracker, reference, type, title, state, stateCategory, assignedTo } = tree.root
  const { atRisk, weight, risks } = assessRisk(tree, context)
  return {
    id,
    tracker,
    reference,
    type,
    title,
    state,
    stateCategory,
    assignedTo,
    completion: computeCompletion(totals),
    ...totals,
    atRisk,
    riskWeight: weight,
    risks,
  }
}

function getSortRank(feature: FeatureFigures): number {
  if (feature.atRisk) return 0
  return isDone(feature) ? 2 : 1
}
