import { expandQuery, type TermDictionary } from '../rules/expand-query'
import { distinctValues, type Qualifier, valuesOf } from '../rules/filters'
import { GuessScale, ROUNDING_MARGIN, roundScore } from '../rules/final-scores'
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
    { type, limit, work }: SearchOptions & { work: SearchWork },
    buffers: SegmentScores[],
  ): Promise<SearchResults> {
    const parts = this.#parts
    const keyOf = query.inTitle ? titleTermKey : termKey
    const total = parts.reduce((sum, { segment, deleted }) => sum + segment.documents - deleted.count, 0)
    const expandedTerms = await expandQuery(query, createTermDictionary(parts), work)
    const ranking = await rankSegments(expandedTerms, { parts, buffers }, { keyOf, total, work })
    const scale = new GuessScale()
    const candidates: Awaited<ReturnType<typeof findCandidates>>[] = []
    for (const [i, part] of parts.entries()) {
      const found = await findCandidates(part, ranking.parts[i]!, { query, type, ceiling: ranking.ceiling, work })
      scale.note(found.minExact, false)
      scale.note(found.maxGuessed, true)
      candidates.push(found)
      await work.checkpoint()
    }
    const { factor } = scale
    const best = candidates.flatMap((found, i) => {
      const scores = found.boosted.subarray(0, found.count)
      if (factor < 1) for (let at = 0; at < found.count; at++) if (found.guessed[at] === 1) scores[at]! *= factor
      return selectTopDocuments(found.documents.subarray(0, found.count), scores, limit).map(
        ({ document, score }) => new Hit(parts[i]!, document, score),
      )
    })
    if (parts.length > 1) best.sort((a, b) => b.score - a.score || compareByNewest(a.entity, b.entity))
    const highlightTerms = selectHighlightTerms(query, ranking.termWeights)
    const hits: SearchHit[] = []
    for (const one of best.slice(0, limit)) hits.push(await toSearchHit(one, highlightTerms, work))
    return { total: candidates.reduce((sum, { count }) => sum + count, 0), hits }
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

interface ScoredDocument {
  document: number
  /** As people see it. */
  score: number
}

/**
 * The best documents of a segment: higher scores first. Among scores that are shown as equal, lower numbers come first.
 * @param scores exact, in the order of `documents`, which is ascending.
 */
function selectTopDocuments(documents: ArrayLike<number>, scores: ArrayLike<number>, limit: number): ScoredDocument[] {
  const threshold = kthHighest(scores, documents.length, limit) * ROUNDING_MARGIN
  const best: ScoredDocument[] = []
  let [known, shown] = [Number.NaN, Number.NaN]
  for (let i = 0; i < documents.length; i++) {
    const score = scores[i]!
    if (score < threshold) continue
    if (score !== known) [known, shown] = [score, roundScore(score)]
    best.push({ document: documents[i]!, score: shown })
  }
  return best.sort((a, b) => b.score - a.score || a.document - b.document).slice(0, limit)
}

/** The k-th highest score, or the lowest if there are fewer. Uses a min-heap of the k highest scores. */
function kthHighest(scores: ArrayLike<number>, count: number, k: number): number {
  const size = Math.min(k, count)
  if (size === 0) return 0
  const heap = new Float64Array(size)
  for (let i = 0; i < size; i++) heap[i] = scores[i]!
  heap.sort()
  for (let i = size; i < count; i++) {
    const score = scores[i]!
    if (score > heap[0]!) sinkFromTop(heap, score)
  }
  return heap[0]!
}

function sinkFromTop(heap: Float64Array, value: number): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child += 1
    if (heap[child]! >= value) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = value
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
