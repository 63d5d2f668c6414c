import { Index } from 'flexsearch'
import { dequantizeImpact, IMPACT_STEPS, quantizeImpact } from '../rules/bm25'

/** Which documents hold a term, and with what impact. FlexSearch holds them, in one list of documents for each step of impact. */
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

  documents(term: string): Set<number> {
    return new Set(this.#steps(term).flat() as number[])
  }

  /** Calls back for every document that holds the term. */
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

/** Stands in no term. */
const SEPARATOR = '\n'
