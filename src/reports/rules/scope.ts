import { featureIdsOf } from './features'
import type { ReportItem } from './item'
import { type Lineage, lineageOf } from './lineage'

/** What a report is about. */
export interface Scope {
  lineage: Lineage
  featureIds: ReadonlySet<number>
}

/**
 * The whole workspace, or the items of `ids` with all below them. Of an item above features, an epic, the features below
 * it are reported; any other stands as a feature itself.
 */
export function scopeOf(items: readonly ReportItem[], ids: readonly number[]): Scope {
  const all = lineageOf(items)
  const features = featureIdsOf(all)
  if (ids.length === 0) return { lineage: all, featureIds: features }
  const lineage = lineageOf(itemsBelow(all, new Set(ids)))
  const holders = holdersOf(features, lineage)
  return { lineage, featureIds: new Set([...features, ...ids.filter((id) => !holders.has(id))]) }
}

function itemsBelow({ inOrder, parentOf }: Lineage, ids: ReadonlySet<number>): ReportItem[] {
  const within = new Set<number>()
  return inOrder.filter(({ id }) => {
    const parentId = parentOf.get(id)
    if (!ids.has(id) && !(parentId !== undefined && within.has(parentId))) return false
    within.add(id)
    return true
  })
}

/** The items with a feature somewhere below them. */
function holdersOf(features: ReadonlySet<number>, { inOrder, parentOf }: Lineage): Set<number> {
  const holders = new Set<number>()
  for (const { id } of inOrder.toReversed()) {
    const parentId = parentOf.get(id)
    if (parentId !== undefined && (features.has(id) || holders.has(id))) holders.add(parentId)
  }
  return holders
}
