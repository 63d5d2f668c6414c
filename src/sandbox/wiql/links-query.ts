import type { Item } from '../state/item'
import type { LinkEnd } from '../state/links'
import { createBadRequestError } from '../wire/wire-error'
import type { QueryContext } from './field-test'
import { createPredicate, selectItems, sortItems } from './items-query'
import { createLinkTypePredicate, splitByScope } from './link-scope'
import type { Wiql } from './syntax-tree'

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
    roots: sortItems(selectItems({ kind: 'and', parts: source }, context), query.orderBy, context.model),
    isTarget: createPredicate({ kind: 'and', parts: target }, context),
    isType: createLinkTypePredicate(link),
  }
  return query.mode === 'Recursive'
    ? findTreeLinks(parts, context)
    : findDirectLinks(parts, query.mode ?? 'MustContain', context)
}

function findDirectLinks(
  { roots, isTarget, isType }: Parts,
  mode: NonNullable<Wiql['mode']>,
  { model }: QueryContext,
): LinkRow[] {
  return roots.flatMap((root) => {
    const ends = model.links.listEnds(root.id).filter((end) => isType(end.rel) && isTargetEnd(end))
    const self = { rel: null, source: null, target: root.id }
    if (mode === 'DoesNotContain') return ends.length === 0 ? [self] : []
    if (mode === 'MustContain' && ends.length === 0) return []
    return [self, ...ends.map((end) => ({ rel: end.rel, source: root.id, target: end.otherId }))]
  })

  function isTargetEnd(end: LinkEnd): boolean {
    const item = model.item(end.otherId)
    return item !== null && isTarget(item)
  }
}

/** Every item stands once: under its parent where that is in the answer, else as a root. */
function findTreeLinks({ roots, isTarget, isType }: Parts, { model }: QueryContext): LinkRow[] {
  if (!isType('System.LinkTypes.Hierarchy-Forward')) {
    throw createBadRequestError('A recursive query needs a link type that makes a tree.')
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
    for (const childId of model.links.listChildren(id)) {
      const child = model.item(childId)
      if (!child || seen.has(childId) || !isTarget(child)) continue
      seen.add(childId)
      rows.push({ rel: 'System.LinkTypes.Hierarchy-Forward', source: id, target: childId })
      descend(childId)
    }
  }

  /** Whether the walk comes to the item from another root: every item in between is a target. */
  function hasRootAbove(id: number): boolean {
    let below = id
    for (let at = model.links.findParent(id); at !== null; at = model.links.findParent(at)) {
      const item = model.item(below)
      if (!item || !isTarget(item)) return false
      if (rootIds.has(at)) return true
      below = at
    }
    return false
  }
}
