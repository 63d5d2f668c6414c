import { expandQuery } from '../rules/expand-query'
import { distinctValues, passes, type Qualifier, valuesOf } from '../rules/filters'
import { type Candidate, computeFinalScores } from '../rules/final-scores'
import type { ParsedQuery } from '../rules/parse-query'
import { stem } from '../rules/stem'
import { compareByNewest } from '../services/entity'
import { createPhraseFilter, phraseTextsOf } from '../services/phrase-filter'
import { selectHighlightTerms, toSearchHit } from '../services/search-hit'
import type { EntityType, SearchIndex, SearchOptions, SearchResults } from '../services/search-index'
import type { Corpus } from './corpus'
import { type Ranking, rankDocuments } from './rank-documents'

/** An index in the memory of the process. */
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
    const lookout = selectHighlightTerms(query, ranking)
    return {
      total: found.length,
      hits: found.slice(0, limit).map(({ entity, score }) => toSearchHit(entity, score, lookout)),
    }
  }

  knownValues(qualifier: Qualifier): string[] {
    return distinctValues(this.#corpus.entities.flatMap((entity) => valuesOf(entity, qualifier)))
  }

  /** What words and IDs found. Everything, where phrases or nothing but filters decide: those are for `#passing`. */
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
