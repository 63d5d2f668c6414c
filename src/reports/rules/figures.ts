import { TOTALS_RULE } from './estimates'
import {
  type BlockerFact,
  blockerFacts,
  type ItemFact,
  itemFact,
  RECENTLY_COMPLETED_RULE,
  recentlyCompleted,
  STALE_ITEMS_RULE,
  staleItems,
} from './facts'
import { FEATURE_ORDER_RULE, type FeatureFigures, figuresOfFeatures } from './feature-figures'
import { FEATURES_RULE } from './features'
import { forestOf } from './forest'
import { assigneeNaming, type Group, groupsOf } from './groups'
import type { ReportItem } from './item'
import { earliest, latest, newestMoment } from './moments'
import { AT_RISK_RULE } from './risks'
import { scopeOf } from './scope'
import { completionOf, shareOfEach, sumOver, type Totals } from './totals'

/** All that the leadership summary and the briefing say, as numbers and short facts. */
export interface Figures {
  /** The newest moment that the workspace knows of, from which days are counted; null when it is empty. */
  asOf: string | null
  /** When the first and the last of the reported items were read from the tracker. */
  fetched: { from: string; to: string } | null
  totals: Totals
  completion: number | null
  byState: Group[]
  byType: Group[]
  byIteration: Group[]
  byAssignee: Group[]
  features: FeatureFigures[]
  /** What belongs to no feature. */
  outside: Totals
  blockers: BlockerFact[]
  unestimated: ItemFact[]
  recentlyCompleted: ItemFact[]
  staleItems: ItemFact[]
  rules: typeof rules
}

const rules = {
  features: `${FEATURES_RULE} ${FEATURE_ORDER_RULE}`,
  totals: TOTALS_RULE,
  atRisk: AT_RISK_RULE,
  recentlyCompleted: RECENTLY_COMPLETED_RULE,
  staleItems: STALE_ITEMS_RULE,
}

/** A pure function of the workspace, whatever the order of its rows; of what is at and below `ids` where any are given. */
export function figuresOf(items: readonly ReportItem[], ids: readonly number[] = []): Figures {
  const { lineage, featureIds } = scopeOf(items, ids)
  const shares = shareOfEach(lineage)
  const trees = forestOf(lineage, featureIds)
  const inFeatures = trees.filter((tree) => tree.isFeature)
  const featureOf = new Map(inFeatures.flatMap(({ root, items }) => items.map((item) => [item.id, root.id] as const)))
  const reported = lineage.inOrder.toSorted((a, b) => a.id - b.id)
  const asOf = newestMoment(items)
  const telling = { asOf: asOf ?? '', featureOf } // without a moment there is no item to tell of
  const outside = reported.filter((item) => !featureOf.has(item.id))
  const totals = sumOver(reported, shares)
  const group = (nameOf: (item: ReportItem) => string | null) => groupsOf(reported, shares, nameOf)
  return {
    asOf,
    fetched: fetchedBetween(reported),
    totals,
    completion: completionOf(totals),
    byState: group((item) => item.state),
    byType: group((item) => item.type),
    byIteration: group((item) => item.iterationPath),
    byAssignee: group(assigneeNaming(reported)),
    features: figuresOfFeatures(inFeatures, shares, telling.asOf),
    outside: sumOver(outside, shares),
    blockers: reported.flatMap((item) => blockerFacts(item, telling)),
    unestimated: reported.filter((item) => shares.get(item.id)!.unestimated > 0).map((item) => itemFact(item, telling)),
    recentlyCompleted: recentlyCompleted(reported, telling),
    staleItems: staleItems(reported, telling),
    rules,
  }
}

function fetchedBetween(items: readonly ReportItem[]): Figures['fetched'] {
  const moments = items.map((item) => item.fetchedAt)
  const [from, to] = [earliest(moments), latest(moments)]
  return from !== null && to !== null ? { from, to } : null
}
