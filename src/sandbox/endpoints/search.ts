import { bodyOf, type Call, type Endpoint } from '../http/call'
import { fieldOf } from '../process/fields'
import type { Item } from '../state/item'
import { isUnder } from '../state/plan'
import { itemUrl } from '../wire/addresses'
import { type Answer, jsonAnswer } from '../wire/answer'
import { badRequest } from '../wire/refusal'
import { fieldValue, flatValue } from '../wire/values'
import { type Hit, highlight, readSearch, searchItem } from './search-text'

const MOST_RESULTS = 1000

/** The tracker's own text search. */
export const searchEndpoints: readonly Endpoint[] = [
  { method: 'POST', path: '_apis/search/workitemsearchresults', run: search },
]

function search(call: Call): Answer {
  const body = bodyOf(call)
  if (typeof body.searchText !== 'string' || body.searchText.trim() === '') {
    throw badRequest('The search text must not be empty. Parameter name: searchText')
  }
  const skip = count(body.$skip, 0, '$skip')
  const top = count(body.$top, 50, '$top')
  if (top > MOST_RESULTS) throw badRequest(`The value of $top must not be above ${MOST_RESULTS}.`)
  const terms = readSearch(body.searchText)
  const isAdmitted = filterOf(body.filters, call)
  const found: { item: Item; score: number; hits: Hit[] }[] = []
  for (const item of call.world.liveItems()) {
    const match = isAdmitted(item) ? searchItem(item, terms) : null
    if (match) found.push({ item, ...match })
  }
  found.sort((a, b) => b.score - a.score || a.item.id - b.item.id)
  const results = found.slice(skip, skip + top).map(({ item, hits }) => resultJson(item, hits, call))
  return jsonAnswer({
    count: found.length,
    results,
    infoCode: 0,
    ...(body.includeFacets === true
      ? {
          facets: facetsOf(
            found.map(({ item }) => item),
            call,
          ),
        }
      : {}),
  })
}

function count(value: unknown, otherwise: number, name: string): number {
  if (value === undefined || value === null) return otherwise
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw badRequest(`The value '${String(value)}' is not valid for ${name}.`)
}

const filterable = ['System.TeamProject', 'System.AreaPath', 'System.WorkItemType', 'System.State', 'System.AssignedTo']

/** `{"System.State": ["New", "Active"]}`: one of the values of every field named. */
function filterOf(filters: unknown, call: Call): (item: Item) => boolean {
  const wanted = Object.entries((filters ?? {}) as Record<string, unknown>).map(([name, values]) => {
    const field = filterable.find((one) => one.toLowerCase() === name.toLowerCase())
    if (!field || !Array.isArray(values)) throw badRequest(`The filter '${name}' is not valid.`)
    return { field: fieldOf(field)!, values: values.map((value) => String(value).toLowerCase()) }
  })
  return (item) =>
    wanted.every(({ field, values }) => {
      const kept = fieldValue(item, field.referenceName, call.world)
      const value = kept === null ? '' : String(flatValue(field, kept, call)).toLowerCase()
      return field.type === 'treePath' ? values.some((path) => isUnder(value, path)) : values.includes(value)
    })
}

const resultFields = [
  'System.Id',
  'System.WorkItemType',
  'System.Title',
  'System.AssignedTo',
  'System.State',
  'System.Tags',
  'System.Rev',
  'System.CreatedDate',
  'System.ChangedDate',
]

/** Names in lower case, every value a string. */
function resultJson(item: Item, hits: readonly Hit[], call: Call): Record<string, unknown> {
  const fields: Record<string, string> = {}
  for (const name of resultFields) {
    const value = fieldValue(item, name, call.world)
    fields[name.toLowerCase()] = value === null ? '' : String(flatValue(fieldOf(name)!, value, call))
  }
  return {
    project: { name: call.world.project.name, id: call.world.project.id },
    fields,
    hits: hits.map((hit) => ({ fieldReferenceName: hit.field.toLowerCase(), highlights: [highlight(hit)] })),
    url: itemUrl(call.base, item.id),
  }
}

function facetsOf(items: readonly Item[], call: Call): Record<string, unknown> {
  return Object.fromEntries(
    filterable
      .filter((name) => name !== 'System.AreaPath')
      .map((name) => {
        const counts = new Map<string, number>()
        for (const item of items) {
          const value = fieldValue(item, name, call.world)
          const shown = value === null ? 'Unassigned' : String(flatValue(fieldOf(name)!, value, call))
          counts.set(shown, (counts.get(shown) ?? 0) + 1)
        }
        return [name, [...counts].map(([shown, resultCount]) => ({ name: shown, id: shown, resultCount }))]
      }),
  )
}
