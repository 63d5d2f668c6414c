import { findRelationName } from '../state/links'
import { createBadRequestError } from '../wire/wire-error'
import type { Condition } from './syntax-tree'

type Scope = 'source' | 'link' | 'target'

const LINK_TYPE = 'system.links.linktype'

/** The conditions of a link query by what they speak of. Each part of the outermost AND must keep to one of them. */
export function splitByScope(where: Condition | null): Record<Scope, Condition[]> {
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

/** A field without a side is one of the source. */
function findScopes(condition: Condition): Set<Scope> {
  if (condition.kind === 'not') return findScopes(condition.part)
  if (condition.kind !== 'compare') return new Set(condition.parts.flatMap((part) => [...findScopes(part)]))
  if (condition.field.name.toLowerCase() === LINK_TYPE) return new Set(['link'])
  return new Set([condition.field.side ?? 'source'])
}

/** The conditions on the link's type as a test of a relation's name. */
export function createLinkTypePredicate(conditions: readonly Condition[]): (rel: string) => boolean {
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
