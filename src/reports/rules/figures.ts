import type { Figures, Totals } from '../schemas'
import { findEarliest, findLatest, findNewestInstant } from './dates'
import { buildFeatureFigures, FEATURE_ORDER_RULE } from './feature-figures'
import { buildFlow, FLOW_RULE, selectFlowItems } from './flow'
import {
  CHANGES_RULE,
  createBlockerFacts,
  createItemFact,
  findChanges,
  listRecentlyCompleted,
  listStaleItems,
  RECENTLY_COMPLETED_RULE,
  resolveChangesSince,
  STALE_ITEMS_RULE,
  selectChangedItems,
  selectRecentlyDone,
} from './item-facts'
import { FEATURES_RULE, selectScope, splitIntoTrees } from './item-forest'
import type { ReportItem } from './report-item'
import { AT_RISK_RULE } from './risks'
import {
  computeCompletion,
  computeOwnTotals,
  createAssigneeNamer,
  groupItems,
  sumItemTotals,
  TOTALS_RULE,
} from './totals'
import type { WorkSpan } from './work-span'

const RULES = {
  features: `${FEATURES_RULE} ${FEATURE_ORDER_RULE}`,
  totals: TOTALS_RULE,
  atRisk: AT_RISK_RULE,
  recentlyCompleted: RECENTLY_COMPLETED_RULE,
  staleItems: STALE_ITEMS_RULE,
  changes: CHANGES_RULE,
  flow: FLOW_RULE,
}

/** The options of a report, and what is known besides the items. */
export interface ReportOptions {
  /** Only these items with their descendants; the whole workspace if empty. */
  ids?: readonly number[]
  /** Features that come first, in this order. */
  designated?: readonly number[]
  /** From the history of the items that `selectItemsWithHistory` returns. */
  spans?: ReadonlyMap<number, WorkSpan>
  /** The last day of each iteration whose dates are known, by its path. */
  iterationEnds?: ReadonlyMap<string, string>
  /** Changes are reported from this instant on; null for the default period. */
  since?: string | null
  /** What `findLatestInstant` returns; null if every instant counts. */
  latest?: string | null
}

/** The items whose history the figures are made from. No other history needs to be read. */
export function selectItemsWithHistory(items: readonly ReportItem[], asOf: string, since: string | null): ReportItem[] {
  const changed = selectChangedItems(items, resolveChangesSince(asOf, since))
  return [...new Set([...selectFlowItems(items, asOf), ...selectRecentlyDone(items, asOf), ...changed])]
}

/** A pure function of the workspace: the order of its items does not matter. Yields after each step. */
export function* buildFigures(items: readonly ReportItem[], options: ReportOptions = {}): Generator<void, Figures> {
  const {
    ids = [],
    designated = [],
    spans = new Map(),
    iterationEnds = new Map(),
    since = null,
    latest = null,
  } = options
  const { lineage, featureIds } = selectScope(items, ids)
  yield
  const shares = computeOwnTotals(lineage)
  yield
  const trees = splitIntoTrees(lineage, featureIds)
  yield
  const inFeatures = trees.filter((tree) => tree.isFeature)
  const featureOf = new Map<number, number>()
  for (const { root, items } of inFeatures) for (const { id } of items) featureOf.set(id, root.id)
  yield
  const reported = lineage.inOrder.toSorted((a, b) => a.id - b.id)
  const asOf = findNewestInstant(items, latest)
  // Without an instant there is no item, so this default is never shown.
  const context = { asOf: asOf ?? new Date(0).toISOString(), featureOf }
  const outside = reported.filter((item) => !featureOf.has(item.id))
  const totals = sumItemTotals(reported, shares)
  yield
  const groups = yield* groupInSteps(reported, shares)
  const features = yield* buildFeatureFigures(inFeatures, shares, {
    asOf: context.asOf,
    designated,
    iterationEnds,
    parentOf: lineage.parentOf,
  })
  const blockers = reported.flatMap((item) => createBlockerFacts(item, context))
  yield
  const unestimated = reported
    .filter((item) => shares.get(item.id)!.unestimated > 0)
    .map((item) => createItemFact(item, context))
  yield
  const recentlyCompleted = listRecentlyCompleted(reported, spans, context)
  yield
  const staleItems = listStaleItems(reported, lineage, context)
  yield
  const changes =
    asOf === null ? null : findChanges(reported, spans, { since: resolveChangesSince(asOf, since), context })
  yield
  const flow = asOf === null ? null : buildFlow(reported, shares, { asOf, spans })
  return {
    asOf,
    fetched: getFetchedRange(reported),
    sources: countSources(reported),
    totals,
    completion: computeCompletion(totals),
    ...groups,
    features,
    outside: sumItemTotals(outside, shares),
    blockers,
    unestimated,
    recentlyCompleted,
    staleItems,
    changes,
    flow,
    rules: RULES,
  }
}

type Groups = Pick<Figures, 'byState' | 'byType' | 'byIteration' | 'byAssignee' | 'byTracker'>

function* groupInSteps(items: readonly ReportItem[], shares: ReadonlyMap<number, Totals>): Generator<void, Groups> {
  const group = (nameOf: (item: ReportItem) => string | null) => groupItems(items, shares, nameOf)
  const byState = group((item) => item.state)
  yield
  const byType = group((item) => item.type)
  yield
  const byIteration = group((item) => item.iterationPath)
  yield
  const byAssignee = group(createAssigneeNamer(items))
  yield
  const byTracker = group((item) => item.tracker)
  yield
  return { byState, byType, byIteration, byAssignee, byTracker }
}

function getFetchedRange(items: readonly ReportItem[]): Figures['fetched'] {
  const moments = items.map((item) => item.fetchedAt)
  const [from, to] = [findEarliest(moments), findLatest(moments)]
  return from !== null && to !== null ? { from, to } : null
}

function countSources(items: readonly ReportItem[]): Figures['sources'] {
  const files = items.filter(({ isFromFile }) => isFromFile).length
  return { tracker: items.length - files, files }
}
