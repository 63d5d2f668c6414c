import type { ReportItem } from './item'
import type { Lineage } from './lineage'

/** A part of the workspace that is reported as one: a feature with all that is below it, or a root outside of any. */
export interface Tree {
  root: ReportItem
  isFeature: boolean
  /** The root and all below it: a parent before its children, siblings by id. */
  items: ReportItem[]
}

/** Parts the items so that each stands in exactly one tree. Trees are ordered by the id of their root. */
export function forestOf({ inOrder, parentOf }: Lineage, featureIds: ReadonlySet<number>): Tree[] {
  const treeOf = new Map<number, Tree>()
  const trees: Tree[] = []
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
