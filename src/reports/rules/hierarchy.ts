import { type Blocker, blockersOn } from './blockers'
import type { Asked } from './figures'
import { forestOf, type Tree } from './forest'
import type { ReportItem } from './item'
import type { Lineage } from './lineage'
import { scopeOf } from './scope'
import { add, completionOf, noTotals, shareOfEach, type Totals } from './totals'

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

/**
 * The trees of all features and of what belongs to none, over the whole workspace or what is at and below `ids`. Designated features
 * go first, in their order; all else is by id.
 */
export function hierarchyOf(items: readonly ReportItem[], asked: Pick<Asked, 'ids' | 'designated'> = {}): Hierarchy {
  const { ids = [], designated = [] } = asked
  const { lineage, featureIds } = scopeOf(items, ids)
  const shares = shareOfEach(lineage)
  const trees = forestOf(lineage, featureIds)
  const node = (tree: Tree) => nodeOf(tree, lineage, shares)
  return {
    features: designatedFirst(
      trees.filter((tree) => tree.isFeature),
      designated,
    ).map(node),
    unparented: trees.filter((tree) => !tree.isFeature).map(node),
  }
}

function designatedFirst(trees: readonly Tree[], designated: readonly number[]): Tree[] {
  const places = new Map(designated.map((id, place) => [id, place]))
  const placeOf = (tree: Tree) => places.get(tree.root.id) ?? designated.length
  return trees.toSorted((a, b) => placeOf(a) - placeOf(b))
}

function nodeOf(tree: Tree, { parentOf }: Lineage, shares: ReadonlyMap<number, Totals>): HierarchyNode {
  const totals = totalsOf(tree, parentOf, shares)
  const hosts = hostsOf(tree, parentOf)
  const nodes = new Map(tree.items.map((item) => [item.id, bareNode(item, totals.get(item.id)!)]))
  for (const [id, host] of hosts) nodes.get(host)!.children.push(nodes.get(id)!)
  return nodes.get(tree.root.id)!
}

/** Under which item each one but the root is shown: its parent, or where that is too deep, what the parent is shown under. */
function hostsOf(tree: Tree, parentOf: ReadonlyMap<number, number>): Map<number, number> {
  const depths = new Map([[tree.root.id, 1]])
  const hosts = new Map<number, number>()
  for (const { id } of tree.items.slice(1)) {
    const parentId = parentOf.get(id)!
    const depth = depths.get(parentId)!
    hosts.set(id, depth < DEEPEST_NESTING ? parentId : hosts.get(parentId)!)
    depths.set(id, Math.min(depth + 1, DEEPEST_NESTING))
  }
  return hosts
}

/** Of each item of the tree with all below it, children first. */
function totalsOf(
  tree: Tree,
  parentOf: ReadonlyMap<number, number>,
  shares: ReadonlyMap<number, Totals>,
): Map<number, Totals> {
  const totals = new Map(tree.items.map((item) => [item.id, { ...(shares.get(item.id) ?? noTotals) }]))
  for (let i = tree.items.length - 1; i > 0; i--) {
    const { id } = tree.items[i]!
    add(totals.get(parentOf.get(id)!)!, totals.get(id)!)
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
