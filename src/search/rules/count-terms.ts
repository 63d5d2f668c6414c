import { FIELDS, type Field } from './bm25'
import { isStopWord } from './stop-words'
import { type Token, tokenize } from './tokenize'

/** The terms of one entity, and how often each stands in each field. */
export interface Counts<Term> {
  terms: Term[]
  /** For each term a number a field, in the order of `FIELDS`. */
  times: readonly number[]
  /** Words a field, stop words and joined forms aside. */
  lengths: Record<Field, number>
  /** The terms of the title one after the other, each with a space behind it. */
  titleLine: string
}

export type TermCounts = Counts<string>

/** A term, the same object each time that it comes. */
export interface KnownTerm {
  readonly text: string
  /** Where it stands among the terms of the entity at hand; -1 for who has none at hand. */
  position: number
}

/** What is to be known of a form of a word. */
export interface KnownForm<Term extends KnownTerm> {
  readonly term: Term
  readonly isStop: boolean
}

/** For many entities: each word costs one look-up, the caller's. */
export function countForms<Term extends KnownTerm>(
  texts: Record<Field, string>,
  known: (token: Token) => KnownForm<Term>,
): Counts<Term> {
  const terms: Term[] = []
  const times: number[] = []
  const lengths: Record<Field, number> = { title: 0, tags: 0, criteria: 0, description: 0 }
  let titleLine = ''
  for (const [column, field] of FIELDS.entries()) {
    let length = 0
    for (const token of tokenize(texts[field])) {
      const { term, isStop } = known(token)
      const follows = token.kind === 'word' || token.kind === 'sign'
      if (follows && !isStop) length += 1
      if (follows && field === 'title') titleLine += `${term.text} `
      if (term.position < 0) {
        term.position = terms.length
        terms.push(term)
        for (let i = 0; i < FIELDS.length; i++) times.push(0)
      }
      times[term.position * FIELDS.length + column]! += 1
    }
    lengths[field] = length
  }
  for (const term of terms) term.position = -1
  return { terms, times, lengths, titleLine }
}

/** @param termOf the term that a token is counted as. */
export function countTerms(texts: Record<Field, string>, termOf: (token: Token) => string): TermCounts {
  const known = new Map<string, KnownTerm>()
  const counts = countForms(texts, (token) => {
    const text = termOf(token)
    const term = known.get(text) ?? { text, position: -1 }
    known.set(text, term)
    return { term, isStop: isStopWord(token.form) }
  })
  return { ...counts, terms: counts.terms.map(({ text }) => text) }
}
