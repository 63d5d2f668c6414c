import type { Item } from '../state/item'
import { findRelationName } from '../state/links'
import { createBadRequestError } from '../wire/response'
import { selectItems } from './find-items'
import { type Comparison, type Condition, listComparisons, type Wiql } from './parse-wiql'
import { createItemPredicate, createPredicate, type QueryContext } from './predicates'

/** A result row of a link query; a root has no `rel` and no `source`. */
interface LinkRow {
  rel: string | null
  source: number | null
  target: number
}

interface Parts {
  roots: Item[]
  isTarget(item: Item | null): item is Item
  isType(rel: string): boolean
}

/** The results of a link query, parents before children. */
export function findLinks({ where, orderBy, mode }: Wiql, context: QueryContext): LinkRow[] {
  const { source, link, target } = splitByScope(where)
  const matchesTarget = createItemPredicate(target, context)
  const parts: Parts = {
    roots: selectItems(source, orderBy, context),
    isTarget: (item): item is Item => item !== null && matchesTarget(item),
    isType: createPredicate(link, createLinkTypeTest),
  }
  return mode === 'Recursive' ? findTreeLinks(parts, context) : findDirectLinks(parts, context)
}

function findDirectLinks({ roots, isTarget, isType }: Parts, { model }: QueryContext): LinkRow[] {
  return roots.flatMap(({ id }) => {
    const ends = model.links.listEnds(id).filter(({ rel, otherId }) => isType(rel) && isTarget(model.item(otherId)))
    if (ends.length === 0) return []
    return [createRootRow(id), ...ends.map(({ rel, otherId }) => ({ rel, source: id, target: otherId }))]
  })
}

function createRootRow(id: number): LinkRow {
  return { rel: null, source: null, target: id }
}

const CHILD = 'System.LinkTypes.Hierarchy-Forward'

/** Each item appears once: below its parent if the answer contains it, or else as a root. */
function findTreeLinks({ roots, isTarget, isType }: Parts, { model }: QueryContext): LinkRow[] {
  if (!isType(CHILD)) throw createBadRequestError('A recursive query needs a link type that makes a tree.')
  const rootIds = new Set(roots.map((root) => root.id))
  const rows: LinkRow[] = []
  const seen = new Set<number>()
  for (const { id } of roots) {
    if (seen.has(id) || hasRootAbove(id)) continue
    rows.push(createRootRow(id))
    seen.add(id)
    descend(id)
  }
  return rows

  function descend(id: number): void {
    for (const childId of model.links.listChildren(id)) {
      if (seen.has(childId) || !isTarget(model.item(childId))) continue
      seen.add(childId)
      rows.push({ rel: CHILD, source: id, target: childId })
      descend(childId)
    }
  }

  /** Whether the item is reached from another root, through items that all match the target conditions. */
  function hasRootAbove(id: number): boolean {
    if (!isTarget(model.item(id))) return false
    const parentId = model.links.findParent(id)
    return parentId !== null && (rootIds.has(parentId) || hasRootAbove(parentId))
  }
}

type Scope = 'source' | 'link' | 'target'

const LINK_TYPE = 'system.links.linktype'

/** Groups the conditions of a link query by scope. Each part of the outermost AND must refer to a single scope. */
function splitByScope(where: Condition): Record<Scope, Condition> {
  const scoped = listConjuncts(where).map((part) => ({ part, scope: findScope(part) }))
  const select = (scope: Scope): Condition => ({
    kind: 'and',
    parts: scoped.filter((one) => one.scope === scope).map(({ part }) => part),
  })
  return { source: select('source'), link: select('link'), target: select('target') }
}

function listConjuncts(condition: Condition): Condition[] {
  return condition.kind === 'and' ? condition.parts.flatMap(listConjuncts) : [condition]
}

/** A field without a side belongs to the source. */
function findScope(condition: Condition): Scope {
  const [scope, ...others] = new Set(
    listComparisons(condition).map(({ field }) =>
      field.name.toLowerCase() === LINK_TYPE ? 'link' : (field.side ?? 'source'),
    ),
  )
  if (scope && others.length === 0) return scope
  throw createBadRequestError('A condition of a link query may speak of the source, the target or the link alone.')
}

function createLinkTypeTest({ operator, values, text }: Comparison): (rel: string) => boolean {
  if (!['=', '<>', 'in'].includes(operator)) {
    throw createBadRequestError(`The operator cannot be used with a link type. The error is caused by «${text}».`)
  }
  const wanted = values.map((value) => {
    const name = value.kind === 'text' ? value.text : ''
    const rel = findRelationName(name)
    if (rel) return rel
    throw createBadRequestError(`The link type does not exist. The error is caused by «${name}».`)
  })
  return (rel) => wanted.includes(rel) === (operator !== '<>')
}
