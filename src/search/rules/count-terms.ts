import { FIELDS, type Field } from './score'
import { isStopWord } from './stop-words'
import { type Token, tokenize } from './tokenize'

/** The terms of one entity, and how often each stands in each field. */
export interface TermCounts {
  terms: string[]
  /** For each term a number a field, in the order of `FIELDS`. */
  times: readonly number[]
  /** Words a field, stop words and joined forms aside. */
  lengths: Record<Field, number>
  /** The terms of the title one after the other, each with a space behind it. */
  titleLine: string
}

/** @param termOf the term that a token is counted as. */
export function countTerms(texts: Record<Field, string>, termOf: (token: Token) => string): TermCounts {
  const positions = new Map<string, number>()
  const times: number[] = []
  const lengths: Record<Field, number> = { title: 0, tags: 0, criteria: 0, description: 0 }
  let titleLine = ''
  for (const [column, field] of FIELDS.entries()) {
    for (const token of tokenize(texts[field])) {
      const { form, kind } = token
      const term = termOf(token)
      const follows = kind === 'word' || kind === 'sign'
      if (follows && !isStopWord(form)) lengths[field] += 1
      if (follows && field === 'title') titleLine += `${term} `
      let position = positions.get(term)
      if (position === undefined) {
        position = positions.size
        positions.set(term, position)
        for (let i = 0; i < FIELDS.length; i++) times.push(0)
      }
      times[position * FIELDS.length + column]! += 1
    }
  }
  return { terms: [...positions.keys()], times, lengths, titleLine }
}
