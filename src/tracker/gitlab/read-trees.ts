import * as z from 'zod'
import { walkTrees } from '../services/list-tree-links'
import { isTooLarge } from '../services/requests/graphql-client'
import { createPageShape, PAGE_INFO } from '../services/requests/graphql-pages'
import { collect, readPages } from '../services/requests/pages'
import type { TreeLink } from '../tracker'
import { WireId } from './address'
import type { ItemParts } from './item-reader'
import { type HasField, joinWidgets, PAGE_SIZE } from './project-client'

/** A list of them has a complexity of some 75 for two levels. */
const ROOTS_PER_REQUEST = 25

const WireLeaf = z.object({
  id: WireId,
  widgets: joinWidgets.pipe(z.object({ hasChildren: z.boolean().default(false) })),
})
const WireChild = z.object({
  id: WireId,
  widgets: joinWidgets.pipe(
    z.object({ children: createPageShape(WireLeaf).nullish(), hasChildren: z.boolean().default(false) }),
  ),
})
const WireRoot = z.object({
  id: WireId,
  widgets: joinWidgets.pipe(z.object({ children: createPageShape(WireChild).nullish() })),
})

const select = (inner: string) => (has: HasField) =>
  `id namespace { fullPath }` +
  (has('WorkItemWidgetHierarchy') ? ` widgets { ... on WorkItemWidgetHierarchy { ${inner} } }` : '')
const list = (inner: string) =>
  `children(first: ${PAGE_SIZE}) { nodes { id widgets { ... on WorkItemWidgetHierarchy { ${inner} } } } ${PAGE_INFO} }`
const selectTwoLevels = select(list(list('hasChildren')))
const selectOneLevel = select(list('hasChildren'))

/** Lists all links below items, parents before children, each child once. Reads two levels with one request, if they are not too large. */
export async function readTrees(
  rootIds: readonly number[],
  { graphql }: Pick<ItemParts, 'graphql'>,
  signal: AbortSignal,
): Promise<{ trees: Map<number, TreeLink[]>; missing: ReadonlySet<number> }> {
  const missing = new Set<number>()
  const query = { batchSize: ROOTS_PER_REQUEST, fields: selectTwoLevels, shape: WireRoot }
  const trees = await walkTrees(rootIds, async (level, children) => {
    const found = await graphql.queryItems(level, query, signal).catch((error: unknown) => {
      if (!isTooLarge(error)) throw error
      return graphql.queryItems(level, { ...query, fields: selectOneLevel }, signal)
    })
    const next: number[] = []
    for (const id of level) {
      const page = found.get(id)?.widgets.children
      if (!found.has(id)) missing.add(id)
      const own = [...(page?.entries ?? [])]
      const rest = page?.next == null ? [] : await readRest(id, page.next, graphql, signal)
      children.set(id, [...own.map((child) => child.id), ...rest])
      next.push(...rest)
      for (const child of own) {
        const below = child.widgets.children
        // What is not in the answer is read with the child as a root.
        if (below?.next != null || (below == null && child.widgets.hasChildren)) next.push(child.id)
        else if (!children.has(child.id)) {
          children.set(
            child.id,
            (below?.entries ?? []).map((leaf) => leaf.id),
          )
          next.push(...(below?.entries ?? []).filter((leaf) => leaf.widgets.hasChildren).map((leaf) => leaf.id))
        }
      }
    }
    return next
  })
  return { trees, missing }
}

/** The children of an item after its first page. */
async function readRest(
  id: number,
  first: string,
  graphql: ItemParts['graphql'],
  signal: AbortSignal,
): Promise<number[]> {
  const children = `children(first: ${PAGE_SIZE}, after: $after) { nodes { id } ${PAGE_INFO} }`
  const select = `... on WorkItemWidgetHierarchy { ${children} }`
  const shape = z.object({ children: createPageShape(z.object({ id: WireId })).nullish() })
  const pages = readPages(async (after) => {
    const query = { select, declarations: ', $after: String', variables: { after: after ?? first } }
    const { widgets } = await graphql.queryWidgets(id, query, shape, signal)
    return widgets.children ?? { entries: [], next: null }
  })
  return (await collect(pages)).map((child) => child.id)
}
