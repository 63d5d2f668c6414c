import { quantizeImpact } from '../rules/bm25'
import { countTerms, type TermCounts } from '../rules/count-terms'
import { extractFieldTexts } from '../rules/field-texts'
import { isStopWord } from '../rules/stop-words'
import { computeImpacts, type FieldLengths } from '../rules/term-impacts'
import type { TokenStemmer } from '../rules/token-stemmer'
import type { Entity } from '../services/entity'
import { encodeEntityKey } from './entity-key'
import { listFilterLexemes } from './filter-lexemes'
import { termLexeme, titleLineLexeme } from './lexemes'

/** What the index holds of an entity. */
export interface IndexEntry {
  key: number
  updatedAt: string | null
  lexemes: string[]
}

/** A form of a word, as the vocabulary has it. */
export interface WordForm {
  form: string
  written: boolean
  term: string
}

/** Of forms that stand in a vocabulary, each once. */
export class WordFormSet {
  readonly #forms = new Map<string, WordForm>()

  add(form: WordForm): void {
    this.#forms.set(`${form.written ? 1 : 0}${form.form}`, form)
  }

  /** In an order of their own, so that writers who bring the same ones do not wait for each other in a circle. */
  list(): WordForm[] {
    return [...this.#forms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, form]) => form)
  }
}

/** The terms of an entity; the forms that they have in its texts are added to `forms`. */
export function analyzeEntity(entity: Entity, termsOf: TokenStemmer, forms: WordFormSet): TermCounts {
  return countTerms(extractFieldTexts(entity), (token) => {
    const term = termsOf(token)
    const isForm = token.kind === 'word' || token.kind === 'joined'
    if (isForm && !isStopWord(token.form)) forms.add({ form: token.form, written: token.kind === 'word', term })
    return term
  })
}

export function createIndexEntry(entity: Entity, counts: TermCounts, average: FieldLengths): IndexEntry {
  const impacts = computeImpacts(counts, average)
  const lexemes = listFilterLexemes(entity)
  for (const [term, impact] of impacts.everywhere) lexemes.push(termLexeme(term, quantizeImpact(impact), false))
  for (const [term, impact] of impacts.title) lexemes.push(termLexeme(term, quantizeImpact(impact), true))
  if (counts.titleLine !== '') lexemes.push(titleLineLexeme(counts.titleLine))
  return { key: encodeEntityKey(entity), updatedAt: entity.updatedAt, lexemes }
}
