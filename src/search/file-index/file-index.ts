import { expandQuery, type TermDictionary } from '../rules/expand-query'
import { distinctValues, type Qualifier, valuesOf } from '../rules/filters'
import { GuessScale } from '../rules/final-scores'
import type { ParsedQuery } from '../rules/parse-query'
import { SearchWork } from '../rules/search-work'
import { compareByNewest, type Entity } from '../services/entity'
import { selectHighlightTerms, toSearchHit } from '../services/search-hit'
import type { IndexStats, SearchHit, SearchIndex, SearchOptions, SearchResults } from '../services/search-index'
import { findCandidates } from './find-candidates'
import type { Manifest } from './index-folder'
import { rankSegments, type SegmentScores, withScoreBuffers } from './rank-segments'
import type { LiveSegment } from './segment'
import { FILTER_KEYS, termKey, titleTermKey, toFilterable } from './segment-format'
import { countFound, noteScores, selectTopDocuments } from './top-documents'

/** Searches one state of an index: its segments, in files or in memory. */
export class FileIndex implements SearchIndex {
  readonly #parts: readonly LiveSegment[]

  constructor(parts: readonly LiveSegment[]) {
    this.#parts = parts
  }

  async search(query: ParsedQuery, { work = new SearchWork(), ...options }: SearchOptions): Promise<SearchResults> {
    const segments = this.#parts.map(({ segment }) => segment)
    for (const segment of segments) segment.retain()
    try {
      const sizes = segments.map(({ documents }) => documents)
      return await withScoreBuffers(sizes, (buffers) => this.#search(query, { ...options, work }, buffers))
    } finally {
      for (const segment of segments) segment.release()
    }
  }

  async #search(
    query: ParsedQuery,
    { type, limit, withoutSnippets, work }: SearchOptions & { work: SearchWork },
    buffers: SegmentScores[],
  ): Promise<SearchResults> {
    const parts = this.#parts
    const keyOf = query.inTitle ? titleTermKey : termKey
    const total = parts.reduce((sum, { segment, deleted }) => sum + segment.documents - deleted.count, 0)
    const expandedTerms = await expandQuery(query, createTermDictionary(parts), work)
    const ranking = await rankSegments(expandedTerms, { parts, buffers }, { keyOf, total, work })
    let [found, exact] = [0, 0]
    for (const [i, part] of parts.entries()) {
      await findCandidates(part, ranking.parts[i]!, { query, type, ceiling: ranking.ceiling, work })
      const counts = countFound(ranking.parts[i]!)
      found += counts.all
      exact += counts.exact
      await work.checkpoint()
    }
    const scale = new GuessScale()
    // A guess ranks below all exact matches, so it is among the best only where there are too few of them.
    if (exact < limit && exact < found) for (const scores of ranking.parts) noteScores(scores, scale)
    const factor = exact < limit ? scale.factor : 0
    const best = parts.flatMap((part, i) =>
      selectTopDocuments(ranking.parts[i]!, { factor, limit }).map(
        ({ document, score }) => new Hit(part, document, score),
      ),
    )
    if (parts.length > 1) best.sort((a, b) => b.score - a.score || compareByNewest(a.entity, b.entity))
    const highlightTerms = withoutSnippets ? null : selectHighlightTerms(query, ranking.termWeights)
    const hits: SearchHit[] = []
    for (const one of best.slice(0, limit)) hits.push(await toSearchHit(one, highlightTerms, work))
    return { total: found, hits }
  }

  /** Values of deleted documents are included until their segment is merged. */
  knownValues(qualifier: Qualifier): string[] {
    const prefix = FILTER_KEYS[qualifier]
    if (qualifier === 'id') return []
    return distinctValues(
      this.#parts.flatMap(({ segment }) =>
        [...segment.keysWithPrefix(prefix)].flatMap((value) => valuesOf(toFilterable(qualifier, value), qualifier)),
      ),
    )
  }
}

/** Reads its record when it is needed. */
class Hit {
  readonly score: number
  readonly #part: LiveSegment
  readonly #document: number
  #entity: Entity | null = null

  constructor(part: LiveSegment, document: number, score: number) {
    this.#part = part
    this.#document = document
    this.score = score
  }

  get entity(): Entity {
    this.#entity ??= this.#part.segment.record(this.#document)
    return this.#entity
  }
}

/** The vocabulary of all segments. Words of deleted documents are included until their segment is merged. */
function createTermDictionary(parts: readonly LiveSegment[]): TermDictionary {
  return {
    countDocuments: (term) => parts.reduce((sum, { segment }) => sum + segment.countDocuments(termKey(term)), 0),
    hasWrittenForm: (form) => parts.some(({ segment }) => segment.writes(form)),
    forms: (beginning) => parts.flatMap(({ segment }) => segment.forms(beginning)),
    similarForms: (word, edits) => parts.flatMap(({ segment }) => segment.similarForms(word, edits)),
  }
}

export function statsOf(manifest: Manifest, parts: readonly LiveSegment[], kept: IndexStats['kept']): IndexStats {
  const terms = new Set<string>()
  for (const { segment } of parts) for (const term of segment.keysWithPrefix(termKey(''))) terms.add(term)
  return {
    entities: manifest.entities,
    lastIndexedAt: manifest.indexedAt,
    terms: terms.size,
    bytes: kept === 'files' ? parts.reduce((sum, { segment }) => sum + segment.facts.bytes, 0) : 0,
    kept,
  }
}
