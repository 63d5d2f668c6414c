import { type Endpoint, type EndpointCall, parseBodyObject } from '../http/endpoint'
import { getField } from '../process/fields'
import { isPathUnder } from '../state/classification-tree'
import type { Item } from '../state/item'
import { readFieldValue, toFlatValue } from '../wire/field-values'
import { createJsonResponse, type WireResponse } from '../wire/response'
import { buildItemUrl } from '../wire/urls'
import { createBadRequestError } from '../wire/wire-error'
import { type Hit, highlight, parseSearchText, searchItem } from './search-text'

const MAX_RESULTS = 1000

/** The tracker's own text search. */
export const searchEndpoints: readonly Endpoint[] = [
  { method: 'POST', path: '_apis/search/workitemsearchresults', run: search },
]

function search(call: EndpointCall): WireResponse {
  const body = parseBodyObject(call)
  if (typeof body.searchText !== 'string' || body.searchText.trim() === '') {
    throw createBadRequestError('The search text must not be empty. Parameter name: searchText')
  }
  const skip = count(body.$skip, 0, '$skip')
  const top = count(body.$top, 50, '$top')
  if (top > MAX_RESULTS) throw createBadRequestError(`The value of $top must not be above ${MAX_RESULTS}.`)
  const terms = parseSearchText(body.searchText)
  const isAdmitted = parseFilter(body.filters, call)
  const found: { item: Item; score: number; hits: Hit[] }[] = []
  for (const item of call.model.listItems()) {
    const match = isAdmitted(item) ? searchItem(item, terms) : null
    if (match) found.push({ item, ...match })
  }
  found.sort((a, b) => b.score - a.score || a.item.id - b.item.id)
  const results = found.slice(skip, skip + top).map(({ item, hits }) => toResultJson(item, hits, call))
  return createJsonResponse({
    count: found.length,
    results,
    infoCode: 0,
    ...(body.includeFacets === true
      ? {
          facets: countFacets(
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
  throw createBadRequestError(`The value '${String(value)}' is not valid for ${name}.`)
}

const FILTERABLE_FIELDS = [
  'System.TeamProject',
  'System.AreaPath',
  'System.WorkItemType',
  'System.State',
  'System.AssignedTo',
]

/** `{"System.State": ["New", "Active"]}`: one of the values of every field named. */
function parseFilter(filters: unknown, call: EndpointCall): (item: Item) => boolean {
  const wanted = Object.entries((filters ?? {}) as Record<string, unknown>).map(([name, values]) => {
    const field = FILTERABLE_FIELDS.find((one) => one.toLowerCase() === name.toLowerCase())
    if (!field || !Array.isArray(values)) throw createBadRequestError(`The filter '${name}' is not valid.`)
    return { field: getField(field)!, values: values.map((value) => String(value).toLowerCase()) }
  })
  return (item) =>
    wanted.every(({ field, values }) => {
      const kept = readFieldValue(item, field.referenceName, call.model)
      const value = kept === null ? '' : String(toFlatValue(field, kept, call)).toLowerCase()
      return field.type === 'treePath' ? values.some((path) => isPathUnder(value, path)) : values.includes(value)
    })
}

const RESULT_FIELDS = [
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
function toResultJson(item: Item, hits: readonly Hit[], call: EndpointCall): Record<string, unknown> {
  const fields: Record<string, string> = {}
  for (const name of RESULT_FIELDS) {
    const value = readFieldValue(item, name, call.model)
    fields[name.toLowerCase()] = value === null ? '' : String(toFlatValue(getField(name)!, value, call))
  }
  return {
    project: { name: call.model.project.name, id: call.model.project.id },
    fields,
    hits: hits.map((hit) => ({ fieldReferenceName: hit.field.toLowerCase(), highlights: [highlight(hit)] })),
    url: buildItemUrl(call.base, item.id),
  }
}

function countFacets(items: readonly Item[], call: EndpointCall): Record<string, unknown> {
  return Object.fromEntries(
    FILTERABLE_FIELDS.filter((name) => name !== 'System.AreaPath').map((name) => {
      const counts = new Map<string, number>()
      for (const item of items) {
        const value = readFieldValue(item, name, call.model)
        const shown = value === null ? 'Unassigned' : String(toFlatValue(getField(name)!, value, call))
        counts.set(shown, (counts.get(shown) ?? 0) + 1)
      }
      return [name, [...counts].map(([shown, resultCount]) => ({ name: shown, id: shown, resultCount }))]
    }),
  )
}
