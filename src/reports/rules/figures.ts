import type { AvailableFeature, Figures } from '../schemas'
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
}

/** The items whose history the figures are made from. No other history needs to be read. */
export function selectItemsWithHistory(items: readonly ReportItem[], asOf: string, since: string | null): ReportItem[] {
  const changed = selectChangedItems(items, resolveChangesSince(asOf, since))
  return [...new Set([...selectFlowItems(items, asOf), ...selectRecentlyDone(items, asOf), ...changed])]
}

/** A pure function of the workspace: the order of its items does not matter. */
export function buildFigures(items: readonly ReportItem[], options: ReportOptions = {}): Figures {
  const { ids = [], designated = [], spans = new Map(), iterationEnds = new Map(), since = null } = options
  const { lineage, featureIds } = selectScope(items, ids)
  const shares = computeOwnTotals(lineage)
  const trees = splitIntoTrees(lineage, featureIds)
  const inFeatures = trees.filter((tree) => tree.isFeature)
  const featureOf = new Map<number, number>()
  for (const { root, items } of inFeatures) for (const { id } of items) featureOf.set(id, root.id)
  const reported = lineage.inOrder.toSorted((a, b) => a.id - b.id)
  const asOf = findNewestInstant(items)
  // Without an instant there is no item, so this default is never shown.
  const context = { asOf: asOf ?? new Date(0).toISOString(), featureOf }
  const outside = reported.filter((item) => !featureOf.has(item.id))
  const totals = sumItemTotals(reported, shares)
  const group = (nameOf: (item: ReportItem) => string | null) => groupItems(reported, shares, nameOf)
  return {
    asOf,
    fetched: getFetchedRange(reported),
    sources: countSources(reported),
    totals,
    completion: computeCompletion(totals),
    byState: group((item) => item.state),
    byType: group((item) => item.type),
    byIteration: group((item) => item.iterationPath),
    byAssignee: group(createAssigneeNamer(reported)),
    byTracker: group((item) => item.tracker),
    features: buildFeatureFigures(inFeatures, shares, {
      asOf: context.asOf,
      designated,
      iterationEnds,
      parentOf: lineage.parentOf,
    }),
    outside: sumItemTotals(outside, shares),
    blockers: reported.flatMap((item) => createBlockerFacts(item, context)),
    unestimated: reported
      .filter((item) => shares.get(item.id)!.unestimated > 0)
      .map((item) => createItemFact(item, context)),
    recentlyCompleted: listRecentlyCompleted(reported, spans, context),
    staleItems: listStaleItems(reported, lineage, context),
    changes: asOf === null ? null : findChanges(reported, spans, { since: resolveChangesSince(asOf, since), context }),
    flow: asOf === null ? null : buildFlow(reported, shares, { asOf, spans }),
    rules: RULES,
  }
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

/** The features that can be designated: the designated ones first, in their order, then the others by ID. */
export function listAvailableFeatures(items: readonly ReportItem[], designated: readonly number[]): AvailableFeature[] {
  const { features } = buildFigures(items, { designated })
  return features
    .toSorted((a, b) => Number(a.priority === null) - Number(b.priority === null) || getRank(a) - getRank(b))
    .map(({ id, tracker, reference, title, state, completion }) => ({
      id,
      tracker,
      reference,
      title,
      state,
      completion,
    }))
}

function getRank({ priority, id }: { priority: number | null; id: number }): number {
  return priority ?? id
}
