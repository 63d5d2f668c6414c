import { type EndpointCall, parseBodyObject } from '../http/endpoint'
import { findField } from '../process/fields'
import type { Item } from '../state/item'
import { isPathUnder } from '../state/tracker-model'
import { readFieldValue, toFlatValue } from '../wire/item-json'
import { createBadRequestError } from '../wire/response'
import { splitWords, stripHtml } from '../wire/text'
import { buildItemUrl } from '../wire/urls'

const MAX_RESULTS = 1000

/** Full-text search. */
export function search(call: EndpointCall) {
  const body = parseBodyObject(call)
  if (typeof body.searchText !== 'string' || body.searchText.trim() === '') {
    throw createBadRequestError('The search text must not be empty. Parameter name: searchText')
  }
  const skip = parseCount(body.$skip ?? 0, '$skip')
  const top = parseCount(body.$top ?? 50, '$top')
  if (top > MAX_RESULTS) throw createBadRequestError(`The value of $top must not be above ${MAX_RESULTS}.`)
  const terms = parseSearchText(body.searchText)
  const isAdmitted = parseFilter(body.filters, call)
  const found = [...call.model.listItems()]
    .filter(isAdmitted)
    .map((item) => ({ item, score: scoreItem(item, terms) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.item.id - b.item.id)
  const results = found.slice(skip, skip + top).map(({ item }) => toResultJson(item, call))
  return { count: found.length, results, infoCode: 0 }
}

function parseCount(value: unknown, name: string): number {
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
    return { field, values: values.map((value) => String(value).toLowerCase()) }
  })
  return (item) =>
    wanted.every(({ field, values }) => {
      const value = readText(item, field, call).toLowerCase()
      return findField(field)!.type === 'treePath'
        ? values.some((path) => isPathUnder(value, path))
        : values.includes(value)
    })
}

function readText(item: Item, field: string, call: EndpointCall): string {
  const value = readFieldValue(item, field, call.model)
  return value === null ? '' : String(toFlatValue(findField(field)!, value, call))
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
function toResultJson(item: Item, call: EndpointCall) {
  const { project } = call.model
  return {
    project: { name: project.name, id: project.id },
    fields: Object.fromEntries(RESULT_FIELDS.map((name) => [name.toLowerCase(), readText(item, name, call)])),
    hits: [],
    url: buildItemUrl(call.base, item.id),
  }
}

/** A word of the search text; `*` at its end makes it a prefix. */
interface SearchTerm {
  word: string
  isPrefix: boolean
}

function parseSearchText(text: string): SearchTerm[] {
  return text.split(/\s+/).flatMap((part) => splitWords(part).map((word) => ({ word, isPrefix: part.endsWith('*') })))
}

/** The searched fields and the weight of a hit in each. */
const FIELD_WEIGHTS = Object.entries({
  'System.Title': 8,
  'System.Tags': 4,
  'Microsoft.VSTS.Common.AcceptanceCriteria': 2,
  'System.Description': 1,
  'Microsoft.VSTS.TCM.ReproSteps': 1,
  'System.History': 1,
})
const ID_WEIGHT = 20

/** 0 if one of the terms occurs nowhere in the item. */
function scoreItem(item: Item, terms: readonly SearchTerm[]): number {
  const texts = FIELD_WEIGHTS.map(([field, weight]) => ({ weight, words: listWords(item, field) }))
  const scores = terms.map(({ word, isPrefix }) => {
    const matches = (one: string) => one === word || (isPrefix && one.startsWith(word))
    const score = texts.reduce((sum, { words, weight }) => sum + weight * words.filter(matches).length, 0)
    return { score, isId: word === String(item.id) }
  })
  if (scores.some(({ score, isId }) => score === 0 && !isId)) return 0
  return scores.reduce((sum, { score }) => sum + score, scores.some(({ isId }) => isId) ? ID_WEIGHT : 0)
}

function listWords({ fields }: Item, name: string): string[] {
  const value = fields[name]
  if (typeof value !== 'string') return []
  return splitWords(['html', 'history'].includes(findField(name)!.type) ? stripHtml(value) : value)
}
