import type { Tree } from './forest'
import { isDone, type ReportItem } from './item'
import { type Risk, risksOf } from './risks'
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
  atRisk: boolean
  risks: Risk[]
}

export const FEATURE_ORDER_RULE =
  'Features at risk first, then the open ones, then those that are done; by id within each.'

/** A removed feature is told of as long as something below it is not removed. */
export function figuresOfFeatures(
  features: readonly Tree[],
  shares: ReadonlyMap<number, Totals>,
  asOf: string,
): FeatureFigures[] {
  return features
    .map((tree) => figuresOfFeature(tree, sumOver(tree.items, shares), asOf))
    .filter((feature) => feature.items > 0)
    .sort((a, b) => turnOf(a) - turnOf(b) || a.id - b.id)
}

function figuresOfFeature(tree: Tree, totals: Totals, asOf: string): FeatureFigures {
  const { id, type, title, state, stateCategory, assignedTo } = tree.root
  const risks = risksOf(tree, totals, asOf)
  return {
    id,
    type,
    title,
    state,
    stateCategory,
    assignedTo,
    completion: completionOf(totals),
    ...totals,
    atRisk: risks.length > 0,
    risks,
  }
}

function turnOf(feature: FeatureFigures): number {
  if (feature.atRisk) return 0
  return isDone(feature) ? 2 : 1
}
