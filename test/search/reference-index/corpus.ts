import { Index } from 'flexsearch'
import { dequantizeImpact, IMPACT_STEPS, quantizeImpact } from '../../../src/search/rules/bm25'
import {
  averageFieldLengths,
  computeImpacts,
  countTerms,
  extractFieldTexts,
  type TermCounts,
} from '../../../src/search/rules/count-terms'
import type { TermDictionary } from '../../../src/search/rules/expand-query'
import { stem } from '../../../src/search/rules/stem'
import { isStopWord } from '../../../src/search/rules/stop-words'
import type { Token } from '../../../src/search/rules/tokenize'
import type { Entity } from '../../../src/search/services/entity'

/** The entities of an index and their terms. A document is an entity's position in `entities`. */
export interface Corpus {
  entities: readonly Entity[]
  /** The terms of each title, each followed by a space. */
  titleLines: readonly string[]
  everywhere: Postings
  titles: Postings
  vocabulary: TermDictionary
  /** The number of distinct terms. */
  terms: number
}

/** @param pause is awaited after each document, so that the process can do other work. */
export async function buildCorpus(entities: readonly Entity[], pause: () => Promise<void>): Promise<Corpus> {
  const terms = new Map<string, string>()
  const written = new Set<string>()
  const termOf = ({ form, kind }: Token) => {
    if (kind === 'sign' || kind === 'pair') return form
    if (kind === 'word') written.add(form)
    const known = terms.get(form)
    if (known !== undefined) return known
    const term = stem(form)
    terms.set(form, term)
    return term
  }
  const counted: TermCounts[] = []
  for (const entity of entities) {
    await pause()
    counted.push(countTerms(extractFieldTexts(entity), termOf))
  }
  const average = averageFieldLengths(counted)
  const [everywhere, titles] = [new Postings(), new Postings()]
  for (const [document, counts] of counted.entries()) {
    await pause()
    const impacts = computeImpacts(counts, average)
    everywhere.add(document, impacts.everywhere)
    titles.add(document, impacts.title)
  }
  const forms = [...terms.keys()].filter((form) => !isStopWord(form))
  return {
    entities,
    titleLines: counted.map((counts) => counts.titleLine),
    everywhere,
    titles,
    terms: new Set(terms.values()).size,
    vocabulary: {
      countDocuments: (term) => everywhere.count(term),
      forms: (beginning) => forms.filter((form) => form.startsWith(beginning)),
      similarForms: () => forms,
      hasWrittenForm: (form) => written.has(form),
    },
  }
}

/** The documents of each term, with impacts. FlexSearch stores them as one list of documents per step of impact. */
export class Postings {
  #adding: ReadonlyMap<string, number> = new Map()
  readonly #index = new Index({
    encode: (text) => text.split(SEPARATOR),
    score: (_content, term) => quantizeImpact(this.#adding.get(term)!),
    resolution: IMPACT_STEPS,
    tokenize: 'strict',
  })

  /** @param impacts by term, each from 0 to 1. */
  add(document: number, impacts: ReadonlyMap<string, number>): void {
    this.#adding = impacts
    this.#index.add(document, [...impacts.keys()].join(SEPARATOR))
  }

  count(term: string): number {
    return this.#steps(term).reduce((sum, documents) => sum + documents.length, 0)
  }

  documents(term: string): number[] {
    return this.#steps(term).flat() as number[]
  }

  /** Calls `visit` for every document that contains the term. */
  each(term: string, visit: (document: number, impact: number) => void): void {
    this.#steps(term).forEach((documents, step) => {
      const impact = dequantizeImpact(step)
      for (const document of documents) visit(document as number, impact)
    })
  }

  #steps(term: string): (string | number)[][] {
    return this.#index.search(term, { resolve: false }).result
  }
}

/** No term contains it. */
const SEPARATOR = '\n'
