import { CHANGES_RULE, type Changes, changedItems, changesOf, changesSince } from './changes'
import { TOTALS_RULE } from './estimates'
import {
  type BlockerFact,
  blockerFacts,
  type CompletedFact,
  changedLately,
  type ItemFact,
  itemFact,
  RECENTLY_COMPLETED_RULE,
  recentlyCompleted,
  STALE_ITEMS_RULE,
  staleItems,
} from './facts'
import { FEATURE_ORDER_RULE, type FeatureFigures, figuresOfFeatures } from './feature-figures'
import { FEATURES_RULE } from './features'
import { FLOW_RULE, type Flow, flowItems, flowOf } from './flow/flow'
import type { WorkSpan } from './flow/work-span'
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
  /** When the first and the last of the reported items were read. */
  fetched: { from: string; to: string } | null
  /** How many of the reported items were read from the tracker, and from imported files. */
  sources: { tracker: number; files: number }
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
  recentlyCompleted: CompletedFact[]
  staleItems: ItemFact[]
  /** Null where the workspace is empty. */
  changes: Changes | null
  /** Null where the workspace is empty. */
  flow: Flow | null
  rules: typeof rules
}

const rules = {
  features: `${FEATURES_RULE} ${FEATURE_ORDER_RULE}`,
  totals: TOTALS_RULE,
  atRisk: AT_RISK_RULE,
  recentlyCompleted: RECENTLY_COMPLETED_RULE,
  staleItems: STALE_ITEMS_RULE,
  changes: CHANGES_RULE,
  flow: FLOW_RULE,
}

/** What a report is asked for, and what is known besides the items. */
export interface Asked {
  /** Only these with all below them; the whole workspace where empty. */
  ids?: readonly number[]
  /** Features that go first, in this order. */
  designated?: readonly number[]
  /** From the history of the items that `itemsWithHistory` names. */
  spans?: ReadonlyMap<number, WorkSpan>
  /** The last day of each iteration whose dates are known, by its path. */
  iterationEnds?: ReadonlyMap<string, string>
  /** What changed is reported from this moment on; null for the usual period. */
  since?: string | null
}

/** The items whose history the figures are made from: read no more than that. */
export function itemsWithHistory(items: readonly ReportItem[], asOf: string, since: string | null): ReportItem[] {
  const changed = changedItems(items, changesSince(asOf, since))
  return [...new Set([...flowItems(items, asOf), ...changedLately(items, asOf), ...changed])]
}

/** A pure function of the workspace, whatever the order of its rows. */
export function figuresOf(items: readonly ReportItem[], asked: Asked = {}): Figures {
  const { ids = [], designated = [], spans = new Map(), iterationEnds = new Map(), since = null } = asked
  const { lineage, featureIds } = scopeOf(items, ids)
  const shares = shareOfEach(lineage)
  const trees = forestOf(lineage, featureIds)
  const inFeatures = trees.filter((tree) => tree.isFeature)
  const featureOf = new Map<number, number>()
  for (const { root, items } of inFeatures) for (const { id } of items) featureOf.set(id, root.id)
  const reported = lineage.inOrder.toSorted((a, b) => a.id - b.id)
  const asOf = newestMoment(items)
  // Without a moment there is no item to tell of.
  const telling = { asOf: asOf ?? new Date(0).toISOString(), featureOf }
  const outside = reported.filter((item) => !featureOf.has(item.id))
  const totals = sumOver(reported, shares)
  const group = (nameOf: (item: ReportItem) => string | null) => groupsOf(reported, shares, nameOf)
  return {
    asOf,
    fetched: fetchedBetween(reported),
    sources: sourcesOf(reported),
    totals,
    completion: completionOf(totals),
    byState: group((item) => item.state),
    byType: group((item) => item.type),
    byIteration: group((item) => item.iterationPath),
    byAssignee: group(assigneeNaming(reported)),
    features: figuresOfFeatures(inFeatures, shares, {
      asOf: telling.asOf,
      designated,
      iterationEnds,
      parentOf: lineage.parentOf,
    }),
    outside: sumOver(outside, shares),
    blockers: reported.flatMap((item) => blockerFacts(item, telling)),
    unestimated: reported.filter((item) => shares.get(item.id)!.unestimated > 0).map((item) => itemFact(item, telling)),
    recentlyCompleted: recentlyCompleted(reported, spans, telling),
    staleItems: staleItems(reported, lineage, telling),
    changes: asOf === null ? null : changesOf(reported, spans, { since: changesSince(asOf, since), telling }),
    flow: asOf === null ? null : flowOf(reported, shares, { asOf, spans }),
    rules,
  }
}

function fetchedBetween(items: readonly ReportItem[]): Figures['fetched'] {
  const moments = items.map((item) => item.fetchedAt)
  const [from, to] = [earliest(moments), latest(moments)]
  return from !== null && to !== null ? { from, to } : null
}

function sourcesOf(items: readonly ReportItem[]): Figures['sources'] {
  const files = items.filter(({ isFromFile }) => isFromFile).length
  return { tracker: items.length - files, files }
}
