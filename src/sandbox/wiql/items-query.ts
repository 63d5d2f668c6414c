import type { FieldDefinition } from '../process/fields'
import type { Item } from '../state/item'
import type { FieldValue } from '../state/state'
import type { World } from '../state/world'
import { badQuery } from '../wire/refusal'
import { fieldValue } from '../wire/values'
import type { Condition, Wiql } from './ast'
import { type QueryContext, queryField, testOf } from './compare'

/** The items that a flat query finds, in its order; by id where it gives none. */
export function findItems(query: Wiql, context: QueryContext): Item[] {
  return inOrder(select(query.where, context), query.orderBy, context.world)
}

/** The items that the condition holds for, in no order. */
export function select(condition: Condition | null, context: QueryContext): Item[] {
  const { world } = context
  if (!condition) return [...world.liveItems()]
  const matches = predicateOf(condition, context)
  const found: Item[] = []
  for (const item of narrowed(condition, world) ?? world.liveItems()) if (matches(item)) found.push(item)
  return found
}

/** The condition as a test of an item; names of fields are checked at once. */
export function predicateOf(condition: Condition, context: QueryContext): (item: Item) => boolean {
  if (condition.kind === 'not') {
    const part = predicateOf(condition.part, context)
    return (item) => !part(item)
  }
  if (condition.kind === 'compare') {
    const { referenceName } = queryField(condition.field.name)
    const test = testOf(condition, context)
    return (item) => test(fieldValue(item, referenceName, context.world))
  }
  const parts = condition.parts.map((part) => predicateOf(part, context))
  return condition.kind === 'and'
    ? (item) => parts.every((part) => part(item))
    : (item) => parts.some((part) => part(item))
}

export function inOrder(items: Item[], orderBy: Wiql['orderBy'], world: World): Item[] {
  const keys = orderBy.map(({ field, descending }) => ({ field: queryField(field.name), sign: descending ? -1 : 1 }))
  return items.sort((a, b) => {
    for (const { field, sign } of keys) {
      const order = compareValues(sortKey(a, field, world), sortKey(b, field, world))
      if (order !== 0) return order * sign
    }
    return a.id - b.id
  })
}

function sortKey(item: Item, field: FieldDefinition, world: World): FieldValue | null {
  const value = fieldValue(item, field.referenceName, world)
  if (typeof value !== 'string') return value
  return (field.isIdentity ? (world.people.find(value)?.displayName ?? value) : value).toLowerCase()
}

/** What has no value comes first. */
function compareValues(a: FieldValue | null, b: FieldValue | null): number {
  if (a === b) return 0
  if (a === null) return -1
  if (b === null) return 1
  return a < b ? -1 : 1
}

/** Ids or a parent that the query demands save going through everything. */
function narrowed(condition: Condition, world: World): Item[] | null {
  if (condition.kind === 'and') {
    for (const part of condition.parts) {
      const items = narrowed(part, world)
      if (items) return items
    }
    return null
  }
  if (condition.kind !== 'compare' || !['=', 'in'].includes(condition.operator)) return null
  const numbers = condition.values.map((value) =>
    value.kind === 'number'
      ? value.number
      : value.kind === 'text' && /^\d+$/.test(value.text)
        ? Number(value.text)
        : null,
  )
  if (numbers.some((number) => number === null)) return null
  const name = queryField(condition.field.name).referenceName
  const ids = numbers as number[]
  if (name === 'System.Id') return itemsOf(ids, world)
  if (name === 'System.Parent')
    return itemsOf(
      ids.flatMap((id) => world.links.childrenOf(id)),
      world,
    )
  return null
}

function itemsOf(ids: readonly number[], world: World): Item[] {
  return [...new Set(ids)].flatMap((id) => world.item(id) ?? [])
}

/** A flat query may not speak of the ends of links. */
export function refuseSides(query: Wiql): void {
  const sided = (condition: Condition | null): boolean => {
    if (!condition) return false
    if (condition.kind === 'compare') return condition.field.side !== null
    return condition.kind === 'not' ? sided(condition.part) : condition.parts.some(sided)
  }
  if (sided(query.where)) throw badQuery('Source and Target can only be used in a query of links.')
}
