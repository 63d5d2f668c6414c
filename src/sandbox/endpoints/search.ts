import { type Endpoint, type EndpointCall, parseBodyObject } from '../http/endpoint'
import { getField } from '../process/fields'
import type { Item } from '../state/item'
import { isPathUnder } from '../state/tracker-model'
import { readFieldValue, toFlatValue } from '../wire/item-json'
import { createBadRequestError, createJsonResponse, type WireResponse } from '../wire/response'
import { splitWords, stripHtml } from '../wire/text'
import { buildItemUrl } from '../wire/urls'

const MAX_RESULTS = 1000

/** Full-text search. */
export const searchEndpoints: readonly Endpoint[] = [
  { method: 'POST', path: '_apis/search/workitemsearchresults', run: search },
]

function search(call: EndpointCall): WireResponse {
  const body = parseBodyObject(call)
  if (typeof body.searchText !== 'string' || body.searchText.trim() === '') {
    throw createBadRequestError('The search text must not be empty. Parameter name: searchText')
  }
  const skip = parseCount(body.$skip, 0, '$skip')
  const top = parseCount(body.$top, 50, '$top')
  if (top > MAX_RESULTS) throw createBadRequestError(`The value of $top must not be above ${MAX_RESULTS}.`)
  const terms = parseSearchText(body.searchText)
  const isAdmitted = parseFilter(body.filters, call)
  const found = [...call.model.listItems()].flatMap((item) => {
    const score = isAdmitted(item) ? scoreItem(item, terms) : null
    return score === null ? [] : [{ item, score }]
  })
  found.sort((a, b) => b.score - a.score || a.item.id - b.item.id)
  const results = found.slice(skip, skip + top).map(({ item }) => toResultJson(item, call))
  return createJsonResponse({
    count: found.length,
    results,
    infoCode: 0,
  })
}

function parseCount(value: unknown, otherwise: number, name: string): number {
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

/** `{"System.State": ["New", "Active"]}`: an item must have one of the values in each field. */
function parseFilter(filters: unknown, call: EndpointCall): (item: Item) => boolean {
  const wanted = Object.entries((filters ?? {}) as Record<string, unknown>).map(([name, values]) => {
    const field = FILTERABLE_FIELDS.find((one) => one.toLowerCase() === name.toLowerCase())
    if (!field || !Array.isArray(values)) throw createBadRequestError(`The filter '${name}' is not valid.`)
    return { field: getField(field)!, values: values.map((value) => String(value).toLowerCase()) }
  })
  return (item) =>
    wanted.every(({ field, values }) => {
      const stored = readFieldValue(item, field.referenceName, call.model)
      const value = stored === null ? '' : String(toFlatValue(field, stored, call)).toLowerCase()
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

/** Field names are in lower case and every value is a string. Highlights are left out. */
function toResultJson(item: Item, call: EndpointCall): Record<string, unknown> {
  const fields: Record<string, string> = {}
  for (const name of RESULT_FIELDS) {
    const value = readFieldValue(item, name, call.model)
    fields[name.toLowerCase()] = value === null ? '' : String(toFlatValue(getField(name)!, value, call))
  }
  return {
    project: { name: call.model.project.name, id: call.model.project.id },
    fields,
    hits: [],
    url: buildItemUrl(call.base, item.id),
  }
}

/** The searched fields and the weight of a hit in each. */
const FIELD_WEIGHTS: Record<string, number> = {
  'System.Title': 8,
  'System.Tags': 4,
  'Microsoft.VSTS.Common.AcceptanceCriteria': 2,
  'System.Description': 1,
  'Microsoft.VSTS.TCM.ReproSteps': 1,
  'System.History': 1,
}

/** A word of the search text; `*` at its end makes it a prefix. */
interface SearchTerm {
  word: string
  isPrefix: boolean
}

function parseSearchText(text: string): SearchTerm[] {
  return text.split(/\s+/).flatMap((part) => splitWords(part).map((word) => ({ word, isPrefix: part.endsWith('*') })))
}

/** Null if one of the terms occurs nowhere in the item. */
function scoreItem(item: Item, terms: readonly SearchTerm[]): number | null {
  const texts = listSearchedTexts(item)
  const isId = (term: SearchTerm) => term.word === String(item.id)
  const missing = terms.some((term) => !isId(term) && !texts.some(({ words }) => countMatches(words, term) > 0))
  if (terms.length === 0 || missing) return null
  let score = terms.some(isId) ? 20 : 0
  for (const { field, words } of texts) {
    for (const term of terms) score += FIELD_WEIGHTS[field]! * countMatches(words, term)
  }
  return score
}

interface SearchedText {
  field: string
  words: readonly string[]
}

/** Keyed by the item's fields, because they never change in place. */
const cache = new WeakMap<Item['fields'], SearchedText[]>()

function listSearchedTexts(item: Item): SearchedText[] {
  const known = cache.get(item.fields)
  if (known) return known
  const texts = Object.keys(FIELD_WEIGHTS).flatMap((field) => {
    const value = item.fields[field]
    if (typeof value !== 'string') return []
    const text = ['html', 'history'].includes(getField(field)!.type) ? stripHtml(value) : value
    return [{ field, words: splitWords(text) }]
  })
  cache.set(item.fields, texts)
  return texts
}

function countMatches(words: readonly string[], { word, isPrefix }: SearchTerm): number {
  return words.filter((one) => one === word || (isPrefix && one.startsWith(word))).length
}
