import { REMOVED_MARK, SOMEONE } from '../../kernel/text/removed-mark'
import { runAtOnce } from '../../kernel/work/budget'
import type { Entity } from '../services/entity'
import { computeFieldShare, computeImpact, FIELDS, type Field } from './bm25'
import { isStopWord } from './stop-words'
import type { Token } from './tokenize'
import { tokenizeInChunks } from './tokenize-chunks'

/** The terms of one entity and their frequencies in each field. */
export interface Counts<Term> {
  terms: Term[]
  /** For each term one number per field, in the order of `FIELDS`. */
  times: readonly number[]
  /** The number of words per field, without stop words and joined forms. */
  lengths: Record<Field, number>
  /** The terms of the title, each followed by a space. */
  titleLine: string
}

export type TermCounts = Counts<string>

/** A term; the same object for each occurrence. */
export interface KnownTerm {
  readonly text: string
  /** Its position among the terms of the current entity; -1 if it has not occurred. */
  position: number
}

/** A form of a word. */
export interface KnownForm<Term extends KnownTerm> {
  readonly term: Term
  readonly isStop: boolean
}

/** Counts terms with a lookup that the caller caches, for many entities; a long text in several steps. */
export function* countForms<Term extends KnownTerm>(
  texts: Record<Field, string>,
  known: (token: Token) => KnownForm<Term>,
): Generator<void, Counts<Term>> {
  const terms: Term[] = []
  const times: number[] = []
  const lengths: Record<Field, number> = { title: 0, tags: 0, criteria: 0, description: 0 }
  let titleLine = ''
  for (const [column, field] of FIELDS.entries()) {
    let length = 0
    for (const { tokens } of tokenizeInChunks(texts[field])) {
      for (const token of tokens) {
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
      yield
    }
    lengths[field] = length
  }
  for (const term of terms) term.position = -1
  return { terms, times, lengths, titleLine }
}

/** @param termOf returns the term of a token. */
export function countTerms(texts: Record<Field, string>, termOf: (token: Token) => string): TermCounts {
  const known = new Map<string, KnownTerm>()
  const counts = runAtOnce(
    countForms(texts, (token) => {
      const text = termOf(token)
      const term = known.get(text) ?? { text, position: -1 }
      known.set(text, term)
      return { term, isStop: isStopWord(token.form) }
    }),
  )
  return { ...counts, terms: counts.terms.map(({ text }) => text) }
}

export type FieldLengths = Record<Field, number>

/** At least 1, because an average length is a divisor. */
export function averageFieldLengths(counted: readonly Pick<TermCounts, 'lengths'>[]): FieldLengths {
  const averages: FieldLengths = { title: 1, tags: 1, criteria: 1, description: 1 }
  for (const field of FIELDS) {
    const sum = counted.reduce((total, { lengths }) => total + lengths[field], 0)
    averages[field] = Math.max(1, sum / Math.max(1, counted.length))
  }
  return averages
}

type Impacts = ReadonlyMap<string, number>

/** The impact of each term, from 0 to 1: in the whole entity, and in its title only. */
export function computeImpacts(
  { terms, times, lengths }: TermCounts,
  average: FieldLengths,
): { everywhere: Impacts; title: Impacts } {
  const everywhere = new Map<string, number>()
  const title = new Map<string, number>()
  for (const [position, term] of terms.entries()) {
    let shares = 0
    for (const [column, field] of FIELDS.entries()) {
      const count = times[position * FIELDS.length + column]!
      if (count === 0) continue
      const share = computeFieldShare(field, count, lengths[field] / average[field])
      shares += share
      if (field === 'title') title.set(term, computeImpact(share))
    }
    everywhere.set(term, computeImpact(shares))
  }
  return { everywhere, title }
}

/** No one searches for them. */
const REMOVED_MARKS = new RegExp(REMOVED_MARK.source, 'g')

/** The searched texts of an entity, by field. The assignee's name counts as a tag. */
export function extractFieldTexts({ title, tags, criteria, description, assignedTo }: Entity): Record<Field, string> {
  const people = assignedTo === null ? [] : [assignedTo.displayName]
  return {
    title: leaveOutMarks(title),
    tags: [...tags, ...people].join(' ; '),
    criteria: leaveOutMarks(criteria),
    description: leaveOutMarks(removeRepeatedTitle(description, title)),
  }
}

function leaveOutMarks(text: string): string {
  return text.includes(' removed]') || text.includes(SOMEONE) ? text.replace(REMOVED_MARKS, ' ') : text
}

/** Removes the title from the beginning of the description, so that its words count once. */
function removeRepeatedTitle(description: string, title: string): string {
  const beginning = title.replace(/…$/, '')
  if (beginning === '' || !description.startsWith(beginning)) return description
  const rest = description.slice(beginning.length)
  return /^[\p{L}\p{N}]/u.test(rest) ? description : rest
}
