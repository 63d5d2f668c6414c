import { type Blocker, blockersOn } from './blockers'
import { forestOf, type Tree } from './forest'
import type { ReportItem } from './item'
import type { Lineage } from './lineage'
import { scopeOf } from './scope'
import { completionOf, noTotals, plus, shareOfEach, type Totals } from './totals'

export interface HierarchyNode {
  id: number
  type: string
  title: string
  state: string
  stateCategory: ReportItem['stateCategory']
  assignedTo: ReportItem['assignedTo']
  /** The item's parent in the tracker, in this tree or not. */
  parentId: number | null
  /** The item's own estimate, whether or not it counts in the totals. */
  points: number | null
  /** Of the item and all below it. */
  totals: Totals
  completion: number | null
  /** What holds up this very item. */
  blockers: Blocker[]
  children: HierarchyNode[]
}

export interface Hierarchy {
  features: HierarchyNode[]
  unparented: HierarchyNode[]
}

/** The nesting that a reader of JSON can be trusted with. What is deeper stands beside its parent, which `parentId` names. */
export const DEEPEST_NESTING = 64

/** The trees of all features and of what belongs to none, over the whole workspace or what is at and below `ids`. */
export function hierarchyOf(items: readonly ReportItem[], ids: readonly number[] = []): Hierarchy {
  const { lineage, featureIds } = scopeOf(items, ids)
  const shares = shareOfEach(lineage)
  const trees = forestOf(lineage, featureIds)
  const node = (tree: Tree) => nodeOf(tree, lineage, shares)
  return {
    features: trees.filter((tree) => tree.isFeature).map(node),
    unparented: trees.filter((tree) => !tree.isFeature).map(node),
  }
}

function nodeOf(tree: Tree, { parentOf }: Lineage, shares: ReadonlyMap<number, Totals>): HierarchyNode {
  const totals = totalsOf(tree, parentOf, shares)
  const placed = new Map<number, { node: HierarchyNode; depth: number; host: HierarchyNode | null }>()
  for (const item of tree.items) {
    const node = bareNode(item, totals.get(item.id) ?? noTotals)
    const above = item === tree.root ? undefined : placed.get(parentOf.get(item.id)!)
    const fits = above && above.depth < DEEPEST_NESTING
    const host = (fits ? above.node : above?.host) ?? null
    host?.children.push(node)
    placed.set(item.id, { node, depth: fits ? above.depth + 1 : (above?.depth ?? 1), host })
  }
  return placed.get(tree.root.id)!.node
}

/** Of each item of the tree with all below it, children first. */
function totalsOf(
  tree: Tree,
  parentOf: ReadonlyMap<number, number>,
  shares: ReadonlyMap<number, Totals>,
): Map<number, Totals> {
  const totals = new Map(tree.items.map((item) => [item.id, shares.get(item.id) ?? noTotals]))
  for (const item of tree.items.toReversed()) {
    if (item === tree.root) continue
    const parentId = parentOf.get(item.id)!
    totals.set(parentId, plus(totals.get(parentId)!, totals.get(item.id)!))
  }
  return totals
}

function bareNode(item: ReportItem, totals: Totals): HierarchyNode {
  return {
    id: item.id,
    type: item.type,
    title: item.title,
    state: item.state,
    stateCategory: item.stateCategory,
    assignedTo: item.assignedTo,
    parentId: item.parentId,
    points: item.storyPoints,
    totals,
    completion: completionOf(totals),
    blockers: blockersOn(item),
    children: [],
  }
}
