import type { FieldDefinition } from '../process/fields'
import type { Item } from '../state/item'
import type { FieldValue } from '../state/state'
import type { TrackerModel } from '../state/tracker-model'
import { readFieldValue } from '../wire/item-json'
import { createBadRequestError } from '../wire/response'
import { type Condition, listComparisons, type Value, type Wiql } from './parse-wiql'
import { createItemPredicate, findQueryField, type QueryContext } from './predicates'

/** The results of a flat query in its order, by default by ID. */
export function findItems({ where, orderBy }: Wiql, context: QueryContext): Item[] {
  if (listComparisons(where).some(({ field }) => field.side !== null))
    throw createBadRequestError('Source and Target can only be used in a query of links.')
  return selectItems(where, orderBy, context)
}

export function selectItems(where: Condition, orderBy: Wiql['orderBy'], context: QueryContext): Item[] {
  const { model } = context
  const candidates = findCandidates(where, model) ?? [...model.listItems()]
  return sortItems(candidates.filter(createItemPredicate(where, context)), orderBy, model)
}

function sortItems(items: Item[], orderBy: Wiql['orderBy'], model: TrackerModel): Item[] {
  const keys = orderBy.map(({ field, descending }) => ({
    field: findQueryField(field.name),
    direction: descending ? -1 : 1,
  }))
  return items.sort((a, b) => {
    for (const { field, direction } of keys) {
      const order = compareValues(readSortKey(a, field, model), readSortKey(b, field, model))
      if (order !== 0) return order * direction
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
  const name = findQueryField(condition.field.name).referenceName
  if (name !== 'System.Id' && name !== 'System.Parent') return null
  const numbers = condition.values.map(parseId)
  if (numbers.includes(Number.NaN)) return null
  const ids = name === 'System.Id' ? numbers : numbers.flatMap((id) => model.links.listChildren(id))
  return [...new Set(ids)].flatMap((id) => model.item(id) ?? [])
}

/** NaN if the value is no number. */
function parseId(value: Value): number {
  if (value.kind === 'number') return value.number
  return value.kind === 'text' && /^\d+$/.test(value.text) ? Number(value.text) : Number.NaN
}
