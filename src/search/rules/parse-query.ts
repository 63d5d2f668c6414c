import type { Filter } from './filters'
import { type QueryTerm, queryTerms } from './query-terms'
import { inSequence, type Sequence } from './sequence'
import { isStopWord } from './stop-words'
import { type Token, tokenize } from './tokenize'

/** What a query asks for: words are OR-ed and ranked, all else filters. */
export interface ParsedQuery {
  /** Without stop words, unless there are no others. */
  words: QueryWord[]
  /** All must be found. Their words are among `words` too, for the rank. */
  phrases: Sequence[]
  /** None may be found. */
  excluded: Sequence[]
  filters: Filter[]
  /** Entities that are meant by their ID: `#204`, or `204` where nothing but numbers was written. */
  ids: number[]
  /** Words, phrases and exclusions look at titles alone. */
  inTitle: boolean
  /** All words as they were written, one after the other: what a title may begin with. */
  opening: string[]
}

export interface QueryWord {
  form: string
  /** How often it was written. */
  count: number
  /** Nothing but the word itself is meant: it stands in quotes, or is joined of parts that are words of the query too. */
  literal: boolean
  /** May be the beginning of a longer word that is being typed. */
  unfinished: boolean
}

/**
 * Reads words, `"phrases"`, `-excluded`, `-"excluded phrases"`, and the qualifiers `state: type: assignee: tag: area: iteration:
 * in:title no:assignee`. A dash negates a qualifier too. An unknown qualifier is plain text.
 * @param user who `@me` is; `invalid` where `@me` is asked for and nobody is configured.
 */
export function parseQuery(query: string, user: string | null): ParsedQuery {
  const terms = queryTerms(query, user)
  const texts = terms.filter((term) => term.kind === 'text').map(readText)
  const sought = texts.filter((text) => !text.negated)
  const phrases = sought.filter((text) => text.quoted && text.forms.length > 0)
  const numbers = sought.flatMap((text) => text.number ?? [])
  const onlyNumbers = numbers.length === sought.length
  return {
    words: withoutStopWords(mergeWords(sought.flatMap((text) => text.words))),
    phrases: phrases.map(({ forms }) => ({ forms, quoted: true })),
    excluded: texts.filter((text) => text.negated).flatMap(exclusions),
    filters: terms.filter((term) => term.kind === 'filter').map((term) => term.filter),
    ids: numbers
      .filter((number) => onlyNumbers || number.startsWith('#'))
      .map((number) => Number(number.replace('#', ''))),
    inTitle: terms.some((term) => term.kind === 'in-title'),
    opening: sought.flatMap((text) => text.forms),
  }
}

interface ReadText {
  negated: boolean
  quoted: boolean
  forms: string[]
  joined: string[]
  words: QueryWord[]
  /** `204` or `#204`, as it was written. */
  number: string | null
}

function readText({ text, negated, quoted, unfinished }: QueryTerm & { kind: 'text' }): ReadText {
  const tokens = tokenize(text)
  const pairs = tokens.filter((token) => token.kind === 'pair')
  const [begun, ended] = [new Set(pairs.map(({ start }) => start)), new Set(pairs.map(({ end }) => end))]
  // A sign counts by itself only where it has no neighbour.
  const isCovered = ({ kind, start, end }: Token) => kind === 'sign' && (begun.has(start) || ended.has(end))
  return {
    negated,
    quoted,
    forms: inSequence(tokens).map((token) => token.form),
    joined: tokens.filter((token) => token.kind === 'joined').map((token) => token.form),
    words: tokens
      .filter((token) => !isCovered(token))
      .map(({ form, end, kind }) => {
        const literal = quoted || kind === 'joined'
        return { form, count: 1, literal, unfinished: unfinished && !literal && end === text.length }
      }),
    number: /^#?\d+$/.test(text) ? text : null,
  }
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

/** `-dockDoor` excludes what says `dock door` and what says `dockdoor`. */
function exclusions({ forms, joined, quoted }: ReadText): Sequence[] {
  const sequences = quoted ? [forms] : [forms, ...joined.map((form) => [form])]
  return sequences.filter((sequence) => sequence.length > 0).map((sequence) => ({ forms: sequence, quoted }))
}
