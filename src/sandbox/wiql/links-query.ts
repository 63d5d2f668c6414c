import type { Item } from '../state/item'
import { findRelationName } from '../state/links'
import { createBadRequestError } from '../wire/response'
import type { QueryContext } from './field-test'
import { createPredicate, selectItems, sortItems } from './items-query'
import type { Condition, Wiql } from './parse-wiql'

/** A result row of a link query; a root has no `rel` and no `source`. */
interface LinkRow {
  rel: string | null
  source: number | null
  target: number
}

interface Parts {
  roots: Item[]
  isTarget(item: Item): boolean
  isType(rel: string): boolean
}

/** The results of a link query, parents before children. */
export function findLinks(query: Wiql, context: QueryContext): LinkRow[] {
  const { source, link, target } = splitByScope(query.where)
  const parts: Parts = {
    roots: sortItems(selectItems({ kind: 'and', parts: source }, context), query.orderBy, context.model),
    isTarget: createPredicate({ kind: 'and', parts: target }, context),
    isType: createLinkTypePredicate(link),
  }
  return query.mode === 'Recursive' ? findTreeLinks(parts, context) : findDirectLinks(parts, context)
}

function findDirectLinks({ roots, isTarget, isType }: Parts, { model }: QueryContext): LinkRow[] {
  return roots.flatMap((root) => {
    const ends = model.links.listEnds(root.id).filter(({ rel, otherId }) => {
      const item = model.item(otherId)
      return isType(rel) && item !== null && isTarget(item)
    })
    if (ends.length === 0) return []
    const self = { rel: null, source: null, target: root.id }
    return [self, ...ends.map((end) => ({ rel: end.rel, source: root.id, target: end.otherId }))]
  })
}

/** Each item appears once: below its parent if the answer contains it, or else as a root. */
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

  /** Whether the item is reached from another root, through items that all match the target conditions. */
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

type Scope = 'source' | 'link' | 'target'

const LINK_TYPE = 'system.links.linktype'

/** Groups the conditions of a link query by scope. Each part of the outermost AND must refer to a single scope. */
function splitByScope(where: Condition | null): Record<Scope, Condition[]> {
  const split: Record<Scope, Condition[]> = { source: [], link: [], target: [] }
  for (const part of listConjuncts(where)) {
    const scopes = findScopes(part)
    if (scopes.size > 1)
      throw createBadRequestError('A condition of a link query may speak of the source, the target or the link alone.')
    split[[...scopes][0]!].push(part)
  }
  return split
}

function listConjuncts(condition: Condition | null): Condition[] {
  if (!condition) return []
  return condition.kind === 'and' ? condition.parts.flatMap(listConjuncts) : [condition]
}

/** A field without a side belongs to the source. */
function findScopes(condition: Condition): Set<Scope> {
  if (condition.kind === 'not') return findScopes(condition.part)
  if (condition.kind !== 'compare') return new Set(condition.parts.flatMap((part) => [...findScopes(part)]))
  if (condition.field.name.toLowerCase() === LINK_TYPE) return new Set(['link'])
  return new Set([condition.field.side ?? 'source'])
}

function createLinkTypePredicate(conditions: readonly Condition[]): (rel: string) => boolean {
  const tests = conditions.map(createRelationTest)
  return (rel) => tests.every((test) => test(rel))
}

function createRelationTest(condition: Condition): (rel: string) => boolean {
  if (condition.kind === 'not') {
    const part = createRelationTest(condition.part)
    return (rel) => !part(rel)
  }
  if (condition.kind !== 'compare') {
    const parts = condition.parts.map(createRelationTest)
    return condition.kind === 'and'
      ? (rel) => parts.every((part) => part(rel))
      : (rel) => parts.some((part) => part(rel))
  }
  if (!['=', '<>', 'in'].includes(condition.operator)) {
    throw createBadRequestError(
      `The operator cannot be used with a link type. The error is caused by «${condition.text}».`,
    )
  }
  const wanted = condition.values.map((value) => findLinkType(value.kind === 'text' ? value.text : ''))
  return (rel) => wanted.includes(rel) === (condition.operator !== '<>')
}

function findLinkType(name: string): string {
  const rel = findRelationName(name)
  if (!rel) throw createBadRequestError(`The link type does not exist. The error is caused by «${name}».`)
  return rel
}
