import type { FieldDefinition } from '../process/fields'
import type { Item } from '../state/item'
import type { FieldValue } from '../state/state'
import type { TrackerModel } from '../state/tracker-model'
import { readFieldValue } from '../wire/item-json'
import { createBadRequestError } from '../wire/response'
import { createFieldTest, findQueryField, type QueryContext } from './field-test'
import type { Condition, Wiql } from './parse-wiql'

/** The results of a flat query in its order, by default by ID. */
export function findItems(query: Wiql, context: QueryContext): Item[] {
  return sortItems(selectItems(query.where, context), query.orderBy, context.model)
}

/** The matching items in no particular order. */
export function selectItems(condition: Condition | null, context: QueryContext): Item[] {
  const { model } = context
  if (!condition) return [...model.listItems()]
  const matches = createPredicate(condition, context)
  const found: Item[] = []
  for (const item of findCandidates(condition, model) ?? model.listItems()) if (matches(item)) found.push(item)
  return found
}

/** Creates a test of an item. Throws for unknown fields immediately. */
export function createPredicate(condition: Condition, context: QueryContext): (item: Item) => boolean {
  if (condition.kind === 'not') {
    const part = createPredicate(condition.part, context)
    return (item) => !part(item)
  }
  if (condition.kind === 'compare') {
    const { referenceName } = findQueryField(condition.field.name)
    const test = createFieldTest(condition, context)
    return (item) => test(readFieldValue(item, referenceName, context.model))
  }
  const parts = condition.parts.map((part) => createPredicate(part, context))
  return condition.kind === 'and'
    ? (item) => parts.every((part) => part(item))
    : (item) => parts.some((part) => part(item))
}

export function sortItems(items: Item[], orderBy: Wiql['orderBy'], model: TrackerModel): Item[] {
  const keys = orderBy.map(({ field, descending }) => ({
    field: findQueryField(field.name),
    sign: descending ? -1 : 1,
  }))
  return items.sort((a, b) => {
    for (const { field, sign } of keys) {
      const order = compareValues(readSortKey(a, field, model), readSortKey(b, field, model))
      if (order !== 0) return order * sign
    }
    return a.id - b.id
  })
}

function readSortKey(item: Item, field: FieldDefinition, model: TrackerModel): FieldValue | null {
  const value = readFieldValue(item, field.referenceName, model)
  if (typeof value !== 'string') return value
  return (field.isIdentity ? (model.people.find(value)?.displayName ?? value) : value).toLowerCase()
}

/** Empty values come first. */
function compareValues(a: FieldValue | null, b: FieldValue | null): number {
  if (a === b) return 0
  if (a === null) return -1
  if (b === null) return 1
  return a < b ? -1 : 1
}

/** If the query requires certain IDs or parents, only those items are tested. */
function findCandidates(condition: Condition, model: TrackerModel): Item[] | null {
  if (condition.kind === 'and') {
    for (const part of condition.parts) {
      const items = findCandidates(part, model)
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
  const name = findQueryField(condition.field.name).referenceName
  const ids = numbers as number[]
  if (name === 'System.Id') return findExistingItems(ids, model)
  if (name === 'System.Parent')
    return findExistingItems(
      ids.flatMap((id) => model.links.listChildren(id)),
      model,
    )
  return null
}

function findExistingItems(ids: readonly number[], model: TrackerModel): Item[] {
  return [...new Set(ids)].flatMap((id) => model.item(id) ?? [])
}

/** Throws if a flat query refers to the ends of links. */
export function rejectLinkSides(query: Wiql): void {
  const sided = (condition: Condition | null): boolean => {
    if (!condition) return false
    if (condition.kind === 'compare') return condition.field.side !== null
    return condition.kind === 'not' ? sided(condition.part) : condition.parts.some(sided)
  }
  if (sided(query.where)) throw createBadRequestError('Source and Target can only be used in a query of links.')
}
