import type { Item } from '../state/item'
import type { LinkEnd } from '../state/links'
import { badQuery } from '../wire/refusal'
import type { Wiql } from './ast'
import type { QueryContext } from './compare'
import { inOrder, predicateOf, select } from './items-query'
import { linkTypePredicate, splitByScope } from './link-scope'

/** A row of a link query's answer; a root has no `rel` and no `source`. */
export interface LinkRow {
  rel: string | null
  source: number | null
  target: number
}

interface Parts {
  roots: Item[]
  isTarget(item: Item): boolean
  isType(rel: string): boolean
}

/** The links that a query finds, parents before children. */
export function findLinks(query: Wiql, context: QueryContext): LinkRow[] {
  const { source, link, target } = splitByScope(query.where)
  const parts: Parts = {
    roots: inOrder(select({ kind: 'and', parts: source }, context), query.orderBy, context.world),
    isTarget: predicateOf({ kind: 'and', parts: target }, context),
    isType: linkTypePredicate(link),
  }
  return query.mode === 'Recursive' ? tree(parts, context) : oneHop(parts, query.mode ?? 'MustContain', context)
}

function oneHop(
  { roots, isTarget, isType }: Parts,
  mode: NonNullable<Wiql['mode']>,
  { world }: QueryContext,
): LinkRow[] {
  return roots.flatMap((root) => {
    const ends = world.links.of(root.id).filter((end) => isType(end.rel) && isTargetEnd(end))
    const self = { rel: null, source: null, target: root.id }
    if (mode === 'DoesNotContain') return ends.length === 0 ? [self] : []
    if (mode === 'MustContain' && ends.length === 0) return []
    return [self, ...ends.map((end) => ({ rel: end.rel, source: root.id, target: end.otherId }))]
  })

  function isTargetEnd(end: LinkEnd): boolean {
    const item = world.item(end.otherId)
    return item !== null && isTarget(item)
  }
}

/** Every item stands once: under its parent where that is in the answer, else as a root. */
function tree({ roots, isTarget, isType }: Parts, { world }: QueryContext): LinkRow[] {
  if (!isType('System.LinkTypes.Hierarchy-Forward')) {
    throw badQuery('A recursive query needs a link type that makes a tree.')
  }
  const rootIds = new Set(roots.map((root) => root.id))
  const rows: LinkRow[] = []
  const seen = new Set<number>()
  for (const root of roots) {
    if (seen.has(root.id) || hasRootAbove(root.id)) continue
    rows.push({ rel: null, source: null, target: root.id })
    seen.add(root.id)
    descend(root.id)
  }
  return rows

  function descend(id: number): void {
    for (const childId of world.links.childrenOf(id)) {
      const child = world.item(childId)
      if (!child || seen.has(childId) || !isTarget(child)) continue
      seen.add(childId)
      rows.push({ rel: 'System.LinkTypes.Hierarchy-Forward', source: id, target: childId })
      descend(childId)
    }
  }

  /** Whether the walk comes to the item from another root: every item in between is a target. */
  function hasRootAbove(id: number): boolean {
    let below = id
    for (let at = world.links.parentOf(id); at !== null; at = world.links.parentOf(at)) {
      const item = world.item(below)
      if (!item || !isTarget(item)) return false
      if (rootIds.has(at)) return true
      below = at
    }
    return false
  }
}
