import type { Entity } from '../entity'
import { impactsIn, type Lengths } from '../impacts'
import { countTerms, type TermCounts } from '../rules/count-terms'
import { stepOf } from '../rules/score'
import { isStopWord } from '../rules/stop-words'
import type { TermsOf } from '../terms-of'
import { textsOf } from '../texts'
import { filterLexemes } from './filter-lexemes'
import { keyOf } from './key'
import { termLexeme, titleLineLexeme } from './lexemes'

/** What the index holds of an entity. */
export interface Entry {
  key: number
  updatedAt: string | null
  lexemes: string[]
}

/** A form of a word, as the vocabulary has it. */
export interface Form {
  form: string
  written: boolean
  term: string
}

/** Of forms that stand in a vocabulary, each once. */
export class Forms {
  readonly #forms = new Map<string, Form>()

  add(form: Form): void {
    this.#forms.set(`${form.written ? 1 : 0}${form.form}`, form)
  }

  /** In an order of their own, so that writers who bring the same ones do not wait for each other in a circle. */
  list(): Form[] {
    return [...this.#forms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, form]) => form)
  }
}

/** The terms of an entity; the forms that they have in its texts are added to `forms`. */
export function analyse(entity: Entity, termsOf: TermsOf, forms: Forms): TermCounts {
  return countTerms(textsOf(entity), (token) => {
    const term = termsOf(token)
    const isForm = token.kind === 'word' || token.kind === 'joined'
    if (isForm && !isStopWord(token.form)) forms.add({ form: token.form, written: token.kind === 'word', term })
    return term
  })
}

export function entryOf(entity: Entity, counts: TermCounts, average: Lengths): Entry {
  const impacts = impactsIn(counts, average)
  const lexemes = filterLexemes(entity)
  for (const [term, impact] of impacts.everywhere) lexemes.push(termLexeme(term, stepOf(impact), false))
  for (const [term, impact] of impacts.title) lexemes.push(termLexeme(term, stepOf(impact), true))
  if (counts.titleLine !== '') lexemes.push(titleLineLexeme(counts.titleLine))
  return { key: keyOf(entity), updatedAt: entity.updatedAt, lexemes }
}
