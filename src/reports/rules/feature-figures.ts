import type { Tree } from './forest'
import { isDone, type ReportItem } from './item'
import { assessRisk, type Risk, type RiskContext } from './risks'
import { completionOf, sumOver, type Totals } from './totals'

/** A feature in one line: its totals, and whether it is at risk. */
export interface FeatureFigures extends Totals {
  id: number
  type: string
  title: string
  state: string
  stateCategory: ReportItem['stateCategory']
  assignedTo: ReportItem['assignedTo']
  completion: number | null
  /** Its place among the designated features, from 1; null for one that is not designated. */
  priority: number | null
  atRisk: boolean
  /** From 0 to 1: the share of the open points that is in trouble. */
  riskWeight: number
  risks: Risk[]
}

export const FEATURE_ORDER_RULE =
  'Designated features first, in their order; then those at risk, the open ones, and those that are done, by id within each.'

/** A removed feature is told of as long as something below it is not removed. */
export function figuresOfFeatures(
  features: readonly Tree[],
  shares: ReadonlyMap<number, Totals>,
  { designated, ...context }: RiskContext & { designated: readonly number[] },
): FeatureFigures[] {
  const priorities = new Map(designated.map((id, index) => [id, index + 1]))
  return features
    .map((tree) => ({
      ...figuresOfFeature(tree, sumOver(tree.items, shares), context),
      priority: priorities.get(tree.root.id) ?? null,
    }))
    .filter((feature) => feature.items > 0)
    .sort((a, b) => byPriority(a, b) || turnOf(a) - turnOf(b) || a.id - b.id)
}

/** Those without a priority come after all that have one. */
function byPriority(a: FeatureFigures, b: FeatureFigures): number {
  const [first, second] = [a.priority ?? Infinity, b.priority ?? Infinity]
  return first === second ? 0 : first - second
}

function figuresOfFeature(tree: Tree, totals: Totals, context: RiskContext): Omit<FeatureFigures, 'priority'> {
  const { id, type, title, state, stateCategory, assignedTo } = tree.root
  const { atRisk, weight, risks } = assessRisk(tree, context)
  return {
    id,
    type,
    title,
    state,
    stateCategory,
    assignedTo,
    completion: completionOf(totals),
    ...totals,
    atRisk,
    riskWeight: weight,
    risks,
  }
}

function turnOf(feature: FeatureFigures): number {
  if (feature.atRisk) return 0
  return isDone(feature) ? 2 : 1
}
