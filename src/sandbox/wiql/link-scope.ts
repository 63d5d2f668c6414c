import { itemRelation } from '../state/links'
import { badQuery } from '../wire/refusal'
import type { Condition } from './ast'

type Scope = 'source' | 'link' | 'target'

const LINK_TYPE = 'system.links.linktype'

/** The conditions of a link query by what they speak of. Each part of the outermost AND must keep to one of them. */
export function splitByScope(where: Condition | null): Record<Scope, Condition[]> {
  const split: Record<Scope, Condition[]> = { source: [], link: [], target: [] }
  for (const part of conjuncts(where)) {
    const scopes = scopesOf(part)
    if (scopes.size > 1)
      throw badQuery('A condition of a link query may speak of the source, the target or the link alone.')
    split[[...scopes][0]!].push(part)
  }
  return split
}

function conjuncts(condition: Condition | null): Condition[] {
  if (!condition) return []
  return condition.kind === 'and' ? condition.parts.flatMap(conjuncts) : [condition]
}

/** A field without a side is one of the source. */
function scopesOf(condition: Condition): Set<Scope> {
  if (condition.kind === 'not') return scopesOf(condition.part)
  if (condition.kind !== 'compare') return new Set(condition.parts.flatMap((part) => [...scopesOf(part)]))
  if (condition.field.name.toLowerCase() === LINK_TYPE) return new Set(['link'])
  return new Set([condition.field.side ?? 'source'])
}

/** The conditions on the link's type as a test of a relation's name. */
export function linkTypePredicate(conditions: readonly Condition[]): (rel: string) => boolean {
  const tests = conditions.map(testOf)
  return (rel) => tests.every((test) => test(rel))
}

function testOf(condition: Condition): (rel: string) => boolean {
  if (condition.kind === 'not') {
    const part = testOf(condition.part)
    return (rel) => !part(rel)
  }
  if (condition.kind !== 'compare') {
    const parts = condition.parts.map(testOf)
    return condition.kind === 'and'
      ? (rel) => parts.every((part) => part(rel))
      : (rel) => parts.some((part) => part(rel))
  }
  if (!['=', '<>', 'in'].includes(condition.operator)) {
    throw badQuery(`The operator cannot be used with a link type. The error is caused by «${condition.text}».`)
  }
  const wanted = condition.values.map((value) => linkTypeNamed(value.kind === 'text' ? value.text : ''))
  return (rel) => wanted.includes(rel) === (condition.operator !== '<>')
}

function linkTypeNamed(name: string): string {
  const rel = itemRelation(name)
  if (!rel) throw badQuery(`The link type does not exist. The error is caused by «${name}».`)
  return rel
}
