import type { ReportItem } from './item'

/** Who stands under whom, over a set of items. Free of cycles, and the same whatever order the items came in. */
export interface Lineage {
  /** Every item once: a parent before its children, siblings by id. */
  inOrder: readonly ReportItem[]
  /** The parent's id; an item without an entry has none among the items. */
  parentOf: ReadonlyMap<number, number>
}

/** Walks without recursion: a tree may be thousands of levels deep. */
export function lineageOf(items: readonly ReportItem[]): Lineage {
  const byId = new Map<number, ReportItem>()
  for (const item of items.toSorted((a, b) => a.id - b.id)) byId.set(item.id, item)
  const parentOf = parentLinks(byId)
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

/** The links to parents that are there; of each cycle the one above its highest item is left out. */
function parentLinks(byId: ReadonlyMap<number, ReportItem>): Map<number, number> {
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
      links.delete(highest(steps.slice(steps.indexOf(at)).map((id) => byId.get(id)!)).id)
    }
    for (const id of path) settled.add(id)
  }
  return links
}

/** By backlog level, and the lowest id among equals. */
function highest(items: readonly ReportItem[]): ReportItem {
  return items.reduce((best, item) => {
    const above = (item.level ?? -1) - (best.level ?? -1)
    return above > 0 || (above === 0 && item.id < best.id) ? item : best
  })
}
