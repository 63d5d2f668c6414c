import type { ReportItem } from './report-item'
import { REQUIREMENT_LEVEL } from './report-item'

/** The parent-child links among a set of items. It has no cycles and does not depend on the order of the input. */
export interface ItemForest {
  /** Every item once: a parent before its children, siblings by id. */
  inOrder: readonly ReportItem[]
  /** Parent IDs; an item whose parent is not in the set has no entry. */
  parentOf: ReadonlyMap<number, number>
}

/** Avoids recursion because a tree can be thousands of levels deep. */
export function buildForest(items: readonly ReportItem[]): ItemForest {
  const byId = new Map<number, ReportItem>()
  for (const item of items.toSorted((a, b) => a.id - b.id)) byId.set(item.id, item)
  const parentOf = linkParents(byId)
  const roots: ReportItem[] = []
  const childrenOf = new Map<number, ReportItem[]>()
  for (const item of byId.values()) {
    const parentId = parentOf.get(item.id)
    const siblings = parentId === undefined ? roots : childrenOf.get(parentId)
    if (siblings) siblings.push(item)
    else childrenOf.set(parentId!, [item])
  }
  const inOrder: ReportItem[] = []
  const waiting = roots.toReversed()
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    inOrder.push(item)
    const children = childrenOf.get(item.id) ?? []
    for (let i = children.length - 1; i >= 0; i--) waiting.push(children[i]!)
  }
  return { inOrder, parentOf }
}

/** The links to parents in the set. In a cycle, the link above the item with the highest backlog level is dropped. */
function linkParents(byId: ReadonlyMap<number, ReportItem>): Map<number, number> {
  const links = new Map<number, number>()
  for (const item of byId.values()) {
    if (item.parentId !== null && byId.has(item.parentId)) links.set(item.id, item.parentId)
  }
  const settled = new Set<number>()
  for (const start of byId.keys()) {
    const next = links.get(start)
    if (next === undefined || settled.has(next)) {
      settled.add(start)
      continue
    }
    const path = new Set<number>()
    let at: number | undefined = start
    while (at !== undefined && !settled.has(at) && !path.has(at)) {
      path.add(at)
      at = links.get(at)
    }
    if (at !== undefined && path.has(at)) {
      const steps = [...path]
      links.delete(findHighest(steps.slice(steps.indexOf(at)).map((id) => byId.get(id)!)).id)
    }
    for (const id of path) settled.add(id)
  }
  return links
}

/** The highest backlog level wins, then the lowest ID. */
function findHighest(items: readonly ReportItem[]): ReportItem {
  return items.reduce((best, item) => {
    const above = (item.level ?? -1) - (best.level ?? -1)
    return above > 0 || (above === 0 && item.id < best.id) ? item : best
  })
}

export const FEATURES_RULE =
  'A feature is an item of the lowest backlog level above requirements that the workspace has; where it has none, a ' +
  'root that has children. A feature below another feature is part of it. Items above the features, and items below none, ' +
  'belong to no feature.'

/**
 * Decides by backlog level because type names differ between processes: Basic has Epic > Issue > Task, and any process can
 * rename its types.
 */
export function findFeatureIds({ inOrder, parentOf }: ItemForest): Set<number> {
  const levels = inOrder.flatMap(({ level }) => (level !== null && level > REQUIREMENT_LEVEL ? [level] : []))
  if (levels.length > 0) {
    const lowest = levels.reduce((low, level) => Math.min(low, level))
    return new Set(inOrder.filter((item) => item.level === lowest).map((item) => item.id))
  }
  const parents = new Set(parentOf.values())
  return new Set([...parents].filter((id) => !parentOf.has(id)))
}

/** The items that a report covers. */
interface ReportScope {
  lineage: ItemForest
  featureIds: ReadonlySet<number>
}

/**
 * Selects the whole workspace, or the items of `ids` with their descendants. For an item above features, such as an epic, the
 * features below it are reported; any other item is reported as if it were a feature.
 */
export function selectScope(items: readonly ReportItem[], ids: readonly number[]): ReportScope {
  const all = buildForest(items)
  const features = findFeatureIds(all)
  if (ids.length === 0) return { lineage: all, featureIds: features }
  const lineage = buildForest(selectDescendants(all, new Set(ids)))
  const holders = findFeatureAncestors(features, lineage)
  return { lineage, featureIds: new Set([...features, ...ids.filter((id) => !holders.has(id))]) }
}

function selectDescendants({ inOrder, parentOf }: ItemForest, ids: ReadonlySet<number>): ReportItem[] {
  const within = new Set<number>()
  return inOrder.filter(({ id }) => {
    const parentId = parentOf.get(id)
    if (!ids.has(id) && !(parentId !== undefined && within.has(parentId))) return false
    within.add(id)
    return true
  })
}

function findFeatureAncestors(features: ReadonlySet<number>, { inOrder, parentOf }: ItemForest): Set<number> {
  const holders = new Set<number>()
  for (const { id } of inOrder.toReversed()) {
    const parentId = parentOf.get(id)
    if (parentId !== undefined && (features.has(id) || holders.has(id))) holders.add(parentId)
  }
  return holders
}

/** A part of the workspace that is reported together: a feature with its descendants, or a root that belongs to no feature. */
export interface ReportTree {
  root: ReportItem
  isFeature: boolean
  /** The root and its descendants: a parent before its children, siblings by ID. */
  items: ReportItem[]
}

/** Puts each item into exactly one tree. Trees are ordered by the ID of their root. */
export function splitIntoTrees({ inOrder, parentOf }: ItemForest, featureIds: ReadonlySet<number>): ReportTree[] {
  const treeOf = new Map<number, ReportTree>()
  const trees: ReportTree[] = []
  for (const item of inOrder) {
    const above = treeOf.get(parentOf.get(item.id) ?? item.id)
    const isFeature = featureIds.has(item.id)
    const startsOwn = !above || (isFeature && !above.isFeature)
    const tree = startsOwn ? { root: item, isFeature, items: [] } : above
    if (startsOwn) trees.push(tree)
    tree.items.push(item)
    treeOf.set(item.id, tree)
  }
  return trees.sort((a, b) => a.root.id - b.root.id)
}
