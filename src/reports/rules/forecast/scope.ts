import type { ItemForest } from '../item-forest'
import { isOpen, isRemoved, REQUIREMENT_LEVEL, type ReportItem } from '../report-item'
import type { WorkSpan } from '../work-span'

/** Work that is forecast as one: what is left of it, and how much new work each finished item brings. */
export interface Scope {
  /** The feature or other item; null for a filter. */
  root: ReportItem | null
  /** Its open backlog items. */
  open: ReportItem[]
  growth: Growth
}

export interface Growth {
  /** New items for each finished one. */
  ratio: number
  finished: number
  added: number
}

type Spans = ReadonlyMap<number, WorkSpan>

/** As many finished items of all features count beside those of the scope, so that a young scope grows as the others did. */
const SHARED_ITEMS = 10
/** More is not the growth of a scope, but a scope that was not broken down. */
const MAX_RATIO = 0.6

/**
 * The backlog items below each of `roots`, in this order; an item below two of them counts for the first. Growth is what was created after
 * the work on a root had begun.
 */
export function buildScopes(
  { inOrder, parentOf }: ItemForest,
  { roots, features, spans }: { roots: readonly number[]; features: Iterable<number>; spans: Spans },
): Scope[] {
  const shared = sumGrowth([...splitByRoot(inOrder, parentOf, new Set(features)).values()], spans)
  const byRoot = splitByRoot(inOrder, parentOf, new Set(roots), roots)
  return roots.map((id) => {
    const items = byRoot.get(id) ?? []
    return {
      root: inOrder.find((item) => item.id === id) ?? null,
      open: items.filter(isOpen),
      growth: findGrowth(items, spans, shared),
    }
  })
}

/** The backlog items below each root. An item below several of them belongs to the one that is first in `order`, or else to the highest. */
function splitByRoot(
  inOrder: readonly ReportItem[],
  parentOf: ItemForest['parentOf'],
  roots: ReadonlySet<number>,
  order: readonly number[] = [],
): Map<number, ReportItem[]> {
  const rank = new Map(order.map((id, i) => [id, i]))
  const rootOf = new Map<number, number>()
  const found = new Map<number, ReportItem[]>([...roots].map((id) => [id, []]))
  for (const item of inOrder) {
    const above = rootOf.get(parentOf.get(item.id) ?? item.id)
    const own = roots.has(item.id) ? item.id : undefined
    const root =
      above === undefined || (own !== undefined && (rank.get(own) ?? Infinity) < (rank.get(above) ?? Infinity))
        ? own
        : above
    if (root === undefined) continue
    rootOf.set(item.id, root)
    if (item.level === REQUIREMENT_LEVEL && !isRemoved(item)) found.get(root)!.push(item)
  }
  return found
}

/** Created after the work on the scope had begun, and finished so far. */
function sumGrowth(scopes: readonly (readonly ReportItem[])[], spans: Spans): Omit<Growth, 'ratio'> {
  let [finished, added] = [0, 0]
  for (const items of scopes) {
    let begun: string | null = null
    for (const { id } of items) {
      const { startedAt = null, completedAt = null } = spans.get(id) ?? {}
      for (const at of [startedAt, completedAt]) if (at !== null && (begun === null || at < begun)) begun = at
    }
    if (begun === null) continue
    for (const { id } of items) {
      const { createdAt = null, completedAt = null } = spans.get(id) ?? {}
      if (completedAt !== null) finished++
      if (createdAt !== null && createdAt > begun) added++
    }
  }
  return { finished, added }
}

function findGrowth(items: readonly ReportItem[], spans: Spans, shared: Omit<Growth, 'ratio'>): Growth {
  const own = sumGrowth([items], spans)
  const usual = shared.finished < SHARED_ITEMS ? 0 : shared.added / shared.finished
  const ratio = (own.added + usual * SHARED_ITEMS) / (own.finished + SHARED_ITEMS)
  return { ...own, ratio: Math.min(MAX_RATIO, ratio) }
}
