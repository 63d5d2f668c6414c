import { computeTermWeight } from '../../../src/search/rules/bm25'
import { type ExpandedTerm, expandQuery, orderCompletionsLast } from '../../../src/search/rules/expand-query'
import { distinctValues, passes, type Qualifier, valuesOf } from '../../../src/search/rules/filters'
import { type Candidate, computeFinalScores } from '../../../src/search/rules/final-scores'
import type { ParsedQuery } from '../../../src/search/rules/parse-query'
import { SearchWork } from '../../../src/search/rules/search-work'
import { stem } from '../../../src/search/rules/stem'
import { compareByNewest } from '../../../src/search/services/entity'
import { findPassingDocuments, phraseTextsOf } from '../../../src/search/services/phrase-filter'
import { selectHighlightTerms, toSearchHit } from '../../../src/search/services/search-hit'
import type {
  EntityType,
  SearchHit,
  SearchIndex,
  SearchOptions,
  SearchResults,
} from '../../../src/search/services/search-index'
import type { Corpus, Postings } from './corpus'

/** Ranks and filters by the same rules as the index of the program, with simple code over an index of FlexSearch: what results must be. */
export class ReferenceIndex implements SearchIndex {
  readonly #corpus: Corpus

  constructor(corpus: Corpus) {
    this.#corpus = corpus
  }

  async search(query: ParsedQuery, { type, limit, work = new SearchWork() }: SearchOptions): Promise<SearchResults> {
    const { entities, vocabulary, titles, everywhere } = this.#corpus
    const expandedTerms = await expandQuery(query, vocabulary, work)
    const ranking = await rankDocuments(expandedTerms, query.inTitle ? titles : everywhere, entities.length, work)
    const documents = await this.#findDocuments(query, type, ranking, work)
    const scores = computeFinalScores(this.#candidates(documents, query, ranking), ranking.ceiling)
    const found = documents.map((document, i) => ({ entity: entities[document]!, score: scores[i]! }))
    found.sort((a, b) => b.score - a.score || compareByNewest(a.entity, b.entity))
    const highlightTerms = selectHighlightTerms(query, ranking.termWeights)
    const hits: SearchHit[] = []
    for (const one of found.slice(0, limit)) hits.push(await toSearchHit(one, highlightTerms, work))
    return { total: found.length, hits }
  }

  knownValues(qualifier: Qualifier): string[] {
    return distinctValues(this.#corpus.entities.flatMap((entity) => valuesOf(entity, qualifier)))
  }

  /** The documents that words and IDs found, or all documents if only phrases or filters decide. */
  #documentsFor({ words, phrases, filters, excluded, ids }: ParsedQuery, ranking: Ranking): Iterable<number> {
    const all = this.#corpus.entities.keys()
    if (phrases.length > 0 || (words.length === 0 && filters.length + excluded.length > 0)) return all
    const meant = ids.length > 0 ? [...all].filter((document) => ids.includes(this.#corpus.entities[document]!.id)) : []
    return new Set([...ranking.scores.keys(), ...meant])
  }

  async #findDocuments(
    query: ParsedQuery,
    type: EntityType | undefined,
    ranking: Ranking,
    work: SearchWork,
  ): Promise<number[]> {
    const { entities, titles, everywhere } = this.#corpus
    const documents: number[] = []
    for (const [position, document] of [...this.#documentsFor(query, ranking)].entries()) {
      if (position % DOCUMENTS_BETWEEN_CHECKPOINTS === 0) await work.checkpoint()
      const entity = entities[document]!
      if ((type === undefined || entity.type === type) && passes(entity, query.filters)) documents.push(document)
    }
    if (query.phrases.length + query.excluded.length === 0) return documents
    const postings = query.inTitle ? titles : everywhere
    const candidates = new Set(documents)
    const passing = await findPassingDocuments(
      {
        size: entities.length,
        postings: (term) => postings.documents(term),
        texts: (document) => phraseTextsOf(entities[document]!, query.inTitle),
        isCandidate: (document) => candidates.has(document),
      },
      query,
      work,
    )
    return documents.filter((document) => passing[document] === 1)
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
        matchesId: query.ids.includes(this.#corpus.entities[document]!.id),
      }
    })
  }
}

/** A document is compared with every filter of the query. */
const DOCUMENTS_BETWEEN_CHECKPOINTS = 100

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
export async function rankDocuments(
  expandedTerms: readonly ExpandedTerm[],
  postings: Postings,
  total: number,
  work = new SearchWork(),
): Promise<Ranking> {
  const scores = new Map<number, Score>()
  const termWeights = new Map<string, number>()
  let ceiling = 1
  for (const part of orderCompletionsLast(expandedTerms)) {
    const impacts = bestImpacts(part, postings)
    work.postings += impacts.size
    await work.checkpoint()
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
