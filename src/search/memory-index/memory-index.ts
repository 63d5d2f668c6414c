import { computeTermWeight } from '../rules/bm25'
import { type ExpandedTerm, expandQuery, orderCompletionsLast } from '../rules/expand-query'
import { distinctValues, passes, type Qualifier, valuesOf } from '../rules/filters'
import { type Candidate, computeFinalScores } from '../rules/final-scores'
import type { ParsedQuery } from '../rules/parse-query'
import { stem } from '../rules/stem'
import { compareByNewest } from '../services/entity'
import { createPhraseFilter, phraseTextsOf } from '../services/phrase-filter'
import { selectHighlightTerms, toSearchHit } from '../services/search-hit'
import type { EntityType, SearchIndex, SearchOptions, SearchResults } from '../services/search-index'
import type { Corpus, Postings } from './corpus'

/** Searches an index in memory. */
export class MemoryIndex implements SearchIndex {
  readonly #corpus: Corpus

  constructor(corpus: Corpus) {
    this.#corpus = corpus
  }

  search(query: ParsedQuery, { type, limit }: SearchOptions): SearchResults {
    const { entities, vocabulary, titles, everywhere } = this.#corpus
    const ranking = rankDocuments(expandQuery(query, vocabulary), query.inTitle ? titles : everywhere, entities.length)
    const documents = [...this.#documentsFor(query, ranking)].filter(this.#passing(query, type))
    const scores = computeFinalScores(this.#candidates(documents, query, ranking), ranking.ceiling)
    const found = documents.map((document, i) => ({ entity: entities[document]!, score: scores[i]! }))
    found.sort((a, b) => b.score - a.score || compareByNewest(a.entity, b.entity))
    const highlightTerms = selectHighlightTerms(query, ranking.termWeights)
    return {
      total: found.length,
      hits: found.slice(0, limit).map(({ entity, score }) => toSearchHit(entity, score, highlightTerms)),
    }
  }

  knownValues(qualifier: Qualifier): string[] {
    return distinctValues(this.#corpus.entities.flatMap((entity) => valuesOf(entity, qualifier)))
  }

  /** The documents that words and IDs found, or all documents if only phrases or filters decide. */
  #documentsFor({ words, phrases, filters, excluded, ids }: ParsedQuery, ranking: Ranking): Iterable<number> {
    const all = this.#corpus.entities.keys()
    if (phrases.length > 0 || (words.length === 0 && filters.length + excluded.length > 0)) return all
    const meant = ids.length > 0 ? [...all].filter((document) => this.#isMeant(document, ids)) : []
    return new Set([...ranking.scores.keys(), ...meant])
  }

  #passing(query: ParsedQuery, type: EntityType | undefined): (document: number) => boolean {
    const { entities, titles, everywhere } = this.#corpus
    const postings = query.inTitle ? titles : everywhere
    const passesSequences = createPhraseFilter(
      {
        documents: (term) => postings.documents(term),
        texts: (document) => phraseTextsOf(entities[document]!, query.inTitle),
      },
      query,
    )
    return (document) => {
      const entity = entities[document]!
      return (type === undefined || entity.type === type) && passes(entity, query.filters) && passesSequences(document)
    }
  }

  #candidates(documents: readonly number[], query: ParsedQuery, ranking: Ranking): Candidate[] {
    const opening = query.opening.map((form) => `${stem(form)} `).join('')
    return documents.map((document) => {
      const { score, exact } = ranking.scores.get(document) ?? { score: 0, exact: false }
      return {
        relevance: score,
        exact,
        isTitlePrefix: opening !== '' && this.#corpus.titleLines[document]!.startsWith(opening),
        isTitle: opening !== '' && this.#corpus.titleLines[document] === opening,
        matchesId: this.#isMeant(document, query.ids),
      }
    })
  }

  #isMeant(document: number, ids: readonly number[]): boolean {
    return ids.includes(this.#corpus.entities[document]!.id)
  }
}

interface Ranking {
  /** By document. */
  scores: ReadonlyMap<number, Score>
  /** By term, the maximum that it adds to a score. */
  termWeights: ReadonlyMap<string, number>
  /** Greater than any score. */
  ceiling: number
}

interface Score {
  score: number
  /** False if only guesses and completions found the document. */
  exact: boolean
}

/** Scores every document that contains any of the terms. */
export function rankDocuments(expandedTerms: readonly ExpandedTerm[], postings: Postings, total: number): Ranking {
  const scores = new Map<number, Score>()
  const termWeights = new Map<string, number>()
  let ceiling = 1
  for (const part of orderCompletionsLast(expandedTerms)) {
    const impacts = bestImpacts(part, postings)
    const weight = computeTermWeight({ count: part.count, holding: impacts.size, total })
    if (part.kind !== 'completion') ceiling += weight
    for (const [term, share] of part.terms) termWeights.set(term, Math.max(termWeights.get(term) ?? 0, weight * share))
    const foundBefore = part.kind === 'completion' ? new Set(scores.keys()) : null
    for (const [document, impact] of impacts) {
      if (foundBefore?.has(document)) continue
      const known = scores.get(document)
      const exact = part.kind === 'exact' || (known?.exact ?? false)
      scores.set(document, { score: (known?.score ?? 0) + weight * impact, exact })
    }
  }
  return { scores, termWeights, ceiling }
}

function bestImpacts({ terms }: ExpandedTerm, postings: Postings): Map<number, number> {
  const best = new Map<number, number>()
  for (const [term, share] of terms) {
    postings.each(term, (document, impact) => {
      best.set(document, Math.max(best.get(document) ?? 0, impact * share))
    })
  }
  return best
}
