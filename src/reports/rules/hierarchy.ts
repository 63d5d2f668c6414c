import type { HierarchyNode, Totals } from '../schemas'
import { sortDesignatedFirst } from './available-features'
import type { ReportOptions } from './figures'
import type { ItemForest } from './item-forest'
import { type ReportTree, selectScope, splitIntoTrees } from './item-forest'
import type { ReportItem } from './report-item'
import { listBlockers } from './report-item'
import { accumulateTotals, computeCompletion, computeOwnTotals, NO_TOTALS } from './totals'

interface Hierarchy {
  features: HierarchyNode[]
  unparented: HierarchyNode[]
}

/** JSON readers limit nesting. A deeper item is listed next to its parent, which `parentId` names. */
export const MAX_DEPTH = 64

/** Designated features come first, in their order; all other trees are ordered by ID. Yields after each step. */
export function* buildHierarchy(
  items: readonly ReportItem[],
  options: Pick<ReportOptions, 'ids' | 'designated'> = {},
): Generator<void, Hierarchy> {
  const { ids = [], designated = [] } = options
  const { lineage, featureIds } = selectScope(items, ids)
  yield
  const shares = computeOwnTotals(lineage)
  yield
  const hierarchy: Hierarchy = { features: [], unparented: [] }
  for (const tree of sortDesignatedFirst(splitIntoTrees(lineage, featureIds), designated)) {
    yield
    const trees = tree.isFeature ? hierarchy.features : hierarchy.unparented
    trees.push(buildNode(tree, lineage, shares))
  }
  return hierarchy
}

function buildNode(tree: ReportTree, { parentOf }: ItemForest, shares: ReadonlyMap<number, Totals>): HierarchyNode {
  const totals = sumSubtrees(tree, parentOf, shares)
  const hosts = findDisplayParents(tree, parentOf)
  const nodes = new Map(tree.items.map((item) => [item.id, createNode(item, totals.get(item.id)!)]))
  for (const [id, host] of hosts) nodes.get(host)!.children.push(nodes.get(id)!)
  return nodes.get(tree.root.id)!
}

/** The item under which each item is shown: its parent, or the parent's own display parent if the nesting would be too deep. */
function findDisplayParents(tree: ReportTree, parentOf: ReadonlyMap<number, number>): Map<number, number> {
  const depths = new Map([[tree.root.id, 1]])
  const hosts = new Map<number, number>()
  for (const { id } of tree.items.slice(1)) {
    const parentId = parentOf.get(id)!
    const depth = depths.get(parentId)!
    hosts.set(id, depth < MAX_DEPTH ? parentId : hosts.get(parentId)!)
    depths.set(id, Math.min(depth + 1, MAX_DEPTH))
  }
  return hosts
}

/** The totals of each item of the tree with its descendants. */
function sumSubtrees(
  tree: ReportTree,
  parentOf: ReadonlyMap<number, number>,
  shares: ReadonlyMap<number, Totals>,
): Map<number, Totals> {
  const totals = new Map(tree.items.map((item) => [item.id, { ...(shares.get(item.id) ?? NO_TOTALS) }]))
  for (let i = tree.items.length - 1; i > 0; i--) {
    const { id } = tree.items[i]!
    accumulateTotals(totals.get(parentOf.get(id)!)!, totals.get(id)!)
  }
  return totals
}

function createNode(item: ReportItem, totals: Totals): HierarchyNode {
  return {
    id: item.id,
    tracker: item.tracker,
    reference: item.reference,
    type: item.type,
    title: item.title,
    state: item.state,
    stateCategory: item.stateCategory,
    assignedTo: item.assignedTo,
    parentId: item.parentId,
    points: item.storyPoints,
    priority: item.priority,
    areaPath: item.areaPath,
    iterationPath: item.iterationPath,
    tags: [...item.tags],
    changedAt: item.changedAt,
    totals,
    completion: computeCompletion(totals),
    blockers: listBlockers(item),
    children: [],
  }
}
