import type { FieldFilter, Filter } from './filters'
import { findOtherSpellings } from './number-spellings'
import { type Phrase, selectSequentialTokens } from './phrase'
import { describeUnknownQualifiers } from './qualifiers'
import { checkQueryParts } from './query-limits'
import { type QueryTerm, scanQuery } from './scan-query'
import { isStopWord } from './stop-words'
import { type Token, tokenize } from './tokenize'

/** In UTF-16 units. */
export const MAX_QUERY_LENGTH = 10_000

/** A parsed query: words are OR-ed and ranked, everything else filters. Equal parts are merged. */
export interface ParsedQuery {
  /** Without stop words, unless there are only stop words. */
  words: QueryWord[]
  /** All must be found. Their words are also in `words`, for ranking. */
  phrases: Phrase[]
  /** None may be found. */
  excluded: Phrase[]
  filters: Filter[]
  /** Conditions on fields of the tracker, for which `resolveFieldFilters` puts filters. */
  fields: FieldFilter[]
  /** IDs in the query: `#204`, `AB#204`, `bug 204`, `204`, or the address of a work item's page. */
  ids: number[]
  /** Whether words, phrases and exclusions apply to titles only. */
  inTitle: boolean
  /** All words in the order of the query, for titles that begin with it. */
  opening: string[]
  /** Messages for the user about how the query was read. */
  hints: string[]
}

export interface QueryWord {
  form: string
  /** How often the query contains it. */
  count: number
  /** Whether only the word itself is meant: it is in quotes, or joined from parts that are also words of the query. */
  literal: boolean
  /** Whether it may be the beginning of a longer word that is being typed. */
  unfinished: boolean
}

/**
 * Reads words, `"phrases"`, `-excluded` or `NOT excluded`, and the qualifiers of `QUALIFIERS`, `is:`, `in:title` and `no:assignee`. A dash
 * or `NOT` negates a qualifier too. An unknown qualifier is plain text. Throws `too_complex` if the query has too many different parts.
 * @param user who `@me` is; `invalid` if the query contains `@me` and no user is configured.
 * @param isField whether the tracker has a field of this name, which `no:` takes as it takes qualifiers.
 */
export function parseQuery(
  query: string,
  user: string | null,
  isField: (name: string) => boolean = () => false,
): ParsedQuery {
  const terms = scanQuery(query, user, isField)
  const texts = terms.filter((term) => term.kind === 'text').map(readText)
  const sought = texts.filter((text) => !text.negated)
  const phrases = sought.filter((text) => text.quoted && text.forms.length > 0)
  const filters = terms.filter((term) => term.kind === 'filter').map((term) => term.filter)
  const parsed: ParsedQuery = {
    words: withoutStopWords(mergeWords(sought.flatMap((text) => text.words))),
    phrases: mergeEqual(phrases.map(({ forms }) => ({ forms, quoted: true }))),
    excluded: mergeEqual(texts.filter((text) => text.negated).flatMap(exclusions)),
    filters: mergeEqual(filters),
    fields: mergeEqual(terms.filter((term) => term.kind === 'field').map((term) => term.field)),
    ids: [...new Set(idsIn(sought))],
    inTitle: terms.some((term) => term.kind === 'in-title'),
    opening: sought.flatMap((text) => text.forms),
    hints: describeUnknownQualifiers(terms.filter((term) => term.kind === 'text')),
  }
  checkQueryParts(parsed)
  return parsed
}

/** Each different value once. */
function mergeEqual<Part>(parts: readonly Part[]): Part[] {
  return [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()]
}

interface ReadText {
  negated: boolean
  quoted: boolean
  forms: string[]
  joined: string[]
  words: QueryWord[]
  number: ItemNumber | null
  /** The original spelling. */
  text: string
}

function readText({ text, negated, quoted, unfinished }: QueryTerm & { kind: 'text' }): ReadText {
  const number = quoted ? null : parseItemNumber(text)
  if (number?.kind === 'address' && !negated) return { negated, quoted, forms: [], joined: [], words: [], number, text }
  const tokens = tokenize(text)
  const pairs = tokens.filter((token) => token.kind === 'pair')
  const [begun, ended] = [new Set(pairs.map(({ start }) => start)), new Set(pairs.map(({ end }) => end))]
  // A single character counts only if it has no neighbor.
  const isCovered = ({ kind, start, end }: Token) => kind === 'sign' && (begun.has(start) || ended.has(end))
  return {
    negated,
    quoted,
    forms: selectSequentialTokens(tokens).map((token) => token.form),
    joined: tokens.filter((token) => token.kind === 'joined').map((token) => token.form),
    words: tokens
      .filter((token) => !isCovered(token))
      .map(({ form, end, kind }) => {
        const literal = quoted || kind === 'joined'
        return { form, count: 1, literal, unfinished: unfinished && !literal && end === text.length }
      }),
    number,
    text,
  }
}

function idsIn(sought: readonly ReadText[]): number[] {
  const areAllNumbers = sought.every(({ number }) => number !== null)
  return sought.flatMap(({ number }, i) => {
    if (number === null) return []
    const isId = areAllNumbers || number.kind !== 'plain' || isIdBesideWords(number.id, sought[i - 1]?.text)
    return isId ? [number.id] : []
  })
}

function mergeWords(words: readonly QueryWord[]): QueryWord[] {
  const merged = new Map<string, QueryWord>()
  for (const word of words) {
    const same = merged.get(word.form)
    merged.set(word.form, {
      form: word.form,
      count: word.count + (same?.count ?? 0),
      literal: word.literal && (same?.literal ?? true),
      unfinished: word.unfinished || (same?.unfinished ?? false),
    })
  }
  return [...merged.values()]
}

function withoutStopWords(words: QueryWord[]): QueryWord[] {
  const telling = words.filter((word) => !isStopWord(word.form))
  return telling.length > 0 ? telling : words
}

/** `-dockDoor` excludes texts with `dock door` and texts with `dockdoor`; `-1.2.3` also texts with `v1.2.3`. */
function exclusions({ forms, joined, quoted }: ReadText): Phrase[] {
  const spellings = forms.length === 1 ? findOtherSpellings(forms[0]!) : []
  const sequences = quoted ? [forms] : [forms, ...[...joined, ...spellings].map((form) => [form])]
  return sequences.filter((sequence) => sequence.length > 0).map((sequence) => ({ forms: sequence, quoted }))
}

/** A number in a query that may mean an ID. */
interface ItemNumber {
  id: number
  /**
   * - `marked`: written as an ID, as `#204` or `AB#204`;
   * - `address`: in the address of a work item's page;
   * - `plain`: nothing but digits.
   */
  kind: 'marked' | 'address' | 'plain'
}

const PLAIN = /^\(?(\d{1,15})[),.;:!?]{0,3}$/
const MARKED = /^\(?[a-z]{0,10}#(\d{1,15})[),.;:!?]{0,3}$/i
const ADDRESS = /^<?(?:https?:\/\/|[a-z0-9.-]{1,100}\.[a-z]{2,20}(?::\d{1,5})?\/)/i
const IN_ADDRESS = /(?:\/_?work-?items?(?:\/edit)?\/|\/items\/|[?&](?:work-?item|id)=)(\d{1,15})(?!\d)/i

function parseItemNumber(text: string): ItemNumber | null {
  const plain = PLAIN.exec(text)
  if (plain) return { id: Number(plain[1]), kind: 'plain' }
  const marked = MARKED.exec(text)
  if (marked) return { id: Number(marked[1]), kind: 'marked' }
  const inAddress = ADDRESS.test(text) ? IN_ADDRESS.exec(text) : null
  return inAddress && { id: Number(inAddress[1]), kind: 'address' }
}

const NAMES_AN_ITEM = /^(?:work ?)?(?:bug|story|task|feature|epic|issue|item|pbi|ticket|requirement|draft|folder|id)$/i
const MIN_DIGITS = 3

/** Whether digits next to words are an ID: they follow a word for an item, or are long and not a year. */
function isIdBesideWords(id: number, before: string | undefined): boolean {
  if (before !== undefined && NAMES_AN_ITEM.test(before)) return true
  const isYear = id >= 1900 && id < 2100
  return id >= 10 ** (MIN_DIGITS - 1) && !isYear
}
