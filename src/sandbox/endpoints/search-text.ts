import { getField } from '../process/fields'
import type { Item } from '../state/item'
import { splitWords, stripHtml } from '../wire/text'

/** What is searched, and how much a hit there weighs. */
const FIELD_WEIGHTS: Record<string, number> = {
  'System.Title': 8,
  'System.Tags': 4,
  'Microsoft.VSTS.Common.AcceptanceCriteria': 2,
  'System.Description': 1,
  'Microsoft.VSTS.TCM.ReproSteps': 1,
  'System.History': 1,
}

/** The words to look for, all of them; one may end in `*`. */
export interface SearchTerm {
  word: string
  isPrefix: boolean
}

export interface Hit {
  field: string
  text: string
  /** Where in the text the words stand. */
  spans: [start: number, end: number][]
}

export function parseSearchText(text: string): SearchTerm[] {
  return text.split(/\s+/).flatMap((part) => splitWords(part).map((word) => ({ word, isPrefix: part.endsWith('*') })))
}

/** Null where one of the terms is nowhere in the item. */
export function searchItem(item: Item, terms: readonly SearchTerm[]): { score: number; hits: Hit[] } | null {
  const texts = listSearchedTexts(item)
  const missing = terms.some(
    (term) => term.word !== String(item.id) && !texts.some(({ words }) => hasTerm(words, term)),
  )
  if (terms.length === 0 || missing) return null
  let score = terms.some(({ word }) => word === String(item.id)) ? 20 : 0
  const hits: Hit[] = []
  for (const { field, text } of texts) {
    const spans = findSpans(text, terms)
    if (spans.length === 0) continue
    hits.push({ field, text, spans })
    score += FIELD_WEIGHTS[field]! * spans.length
  }
  return { score, hits }
}

/** The text around the first hit, with every hit marked. */
export function highlight({ text, spans }: Hit): string {
  const from = Math.max(0, spans[0]![0] - 60)
  const to = Math.min(text.length, spans[0]![1] + 140)
  let marked = ''
  let at = from
  for (const [start, end] of spans) {
    if (end > to) break
    marked += `${text.slice(at, start)}<highlighthit>${text.slice(start, end)}</highlighthit>`
    at = end
  }
  return marked + text.slice(at, to)
}

interface SearchedText {
  field: string
  text: string
  words: ReadonlySet<string>
}

/** Kept by the item's fields, which never change in place. */
const cache = new WeakMap<Item['fields'], SearchedText[]>()

function listSearchedTexts(item: Item): SearchedText[] {
  const known = cache.get(item.fields)
  if (known) return known
  const texts = Object.keys(FIELD_WEIGHTS).flatMap((field) => {
    const value = item.fields[field]
    if (typeof value !== 'string') return []
    const text = ['html', 'history'].includes(getField(field)!.type) ? stripHtml(value) : value
    return [{ field, text, words: new Set(splitWords(text)) }]
  })
  cache.set(item.fields, texts)
  return texts
}

function hasTerm(words: ReadonlySet<string>, { word, isPrefix }: SearchTerm): boolean {
  return words.has(word) || (isPrefix && [...words].some((one) => one.startsWith(word)))
}

function findSpans(text: string, terms: readonly SearchTerm[]): [number, number][] {
  const spans: [number, number][] = []
  for (const found of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    const word = found[0].toLowerCase()
    if (terms.some((term) => word === term.word || (term.isPrefix && word.startsWith(term.word)))) {
      spans.push([found.index, found.index + found[0].length])
    }
  }
  return spans
}
