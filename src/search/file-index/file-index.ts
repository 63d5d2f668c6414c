import { expandQuery } from '../rules/expand-query'
import { distinctValues, type Qualifier, valuesOf } from '../rules/filters'
import { BOOSTS, GuessScale } from '../rules/final-scores'
import type { ParsedQuery } from '../rules/parse-query'
import { stem } from '../rules/stem'
import { compareByNewest, type Entity } from '../services/entity'
import { createPhraseFilter, phraseTextsOf } from '../services/phrase-filter'
import { selectHighlightTerms, toSearchHit } from '../services/search-hit'
import type { SearchIndex, SearchOptions, SearchResults } from '../services/search-index'
import { FILTER_KEYS, toFilterable } from './filter-keys'
import { createFilterMask } from './filter-mask'
import type { LiveSegment } from './live-segment'
import { EXACT, rankSegments, type SegmentScores } from './rank-segments'
import { idKey, termKey, titleLineKey, titleTermKey } from './segment-keys'
import { createTermDictionary } from './term-dictionary'
import { selectTopDocuments } from './top-documents'

/** One state of the index in files: segments, each less what was deleted from it. */
export class FileIndex implements SearchIndex {
  readonly #parts: readonly LiveSegment[]

  constructor(parts: readonly LiveSegment[]) {
    this.#parts = parts
  }

  search(query: ParsedQuery, { type, limit }: SearchOptions): SearchResults {
    const parts = this.#parts
    const keyOf = query.inTitle ? titleTermKey : termKey
    const total = parts.reduce((sum, { segment, deleted }) => sum + segment.documents - deleted.count, 0)
    const ranking = rankSegments(expandQuery(query, createTermDictionary(parts)), parts, { keyOf, total })
    const scale = new GuessScale()
    const candidates = parts.map((part, i) => {
      const found = candidatesIn(part, ranking.parts[i]!, { query, type, ceiling: ranking.ceiling })
      scale.note(found.leastExact, false)
      scale.note(found.mostGuessed, true)
      return found
    })
    const { factor } = scale
    const best = candidates.flatMap((found, i) => {
      const scores = found.boosted.subarray(0, found.count)
      if (factor < 1) for (let at = 0; at < found.count; at++) if (found.guessed[at] === 1) scores[at]! *= factor
      return selectTopDocuments(found.documents.subarray(0, found.count), scores, limit).map(
        ({ document, score }) => new Hit(parts[i]!, document, score),
      )
    })
    if (parts.length > 1) best.sort((a, b) => b.score - a.score || compareByNewest(a.entity, b.entity))
    const lookout = selectHighlightTerms(query, ranking)
    return {
      total: candidates.reduce((sum, { count }) => sum + count, 0),
      hits: best.slice(0, limit).map(({ entity, score }) => toSearchHit(entity, score, lookout)),
    }
  }

  /** What only deleted documents had counts until they are cleared away. */
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

/** Reads its record only when it is needed. */
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

interface Candidates {
  count: number
  /** Ascending. */
  documents: Uint16Array
  boosted: Float64Array
  guessed: Uint8Array
  leastExact: number
  mostGuessed: number
}

interface Asked {
  query: ParsedQuery
  type: SearchOptions['type']
  ceiling: number
}

/**
 * What words and IDs found, or everything where phrases or nothing but filters decide; of that, what passes. A cold process runs this loop
 * before it is compiled, so it calls nothing that it need not, and what passes is moved to the front of the arrays that are there.
 */
function candidatesIn(
  part: LiveSegment,
  { scores, found, candidates }: SegmentScores,
  { query, type, ceiling }: Asked,
): Candidates {
  const { segment, deleted } = part
  const { words, phrases, filters, excluded, ids } = query
  const takesAll = phrases.length > 0 || (words.length === 0 && filters.length + excluded.length > 0)
  const meant = new Set(ids.flatMap((id) => [...(segment.postings(idKey(id))?.documents ?? [])]))
  const titleBoosts = findTitleBoosts(part, query)
  const passesFilters = createFilterMask(part, filters, type)
  const passesSequences = phrases.length + excluded.length > 0 ? sequencesOf(part, query) : null
  const [anyDeleted, anyMeant, anyBegins] = [deleted.count > 0, meant.size > 0, titleBoosts.size > 0]
  let [count, leastExact, mostGuessed] = [0, Number.POSITIVE_INFINITY, 0]
  for (let document = 0; document < found.length; document++) {
    const how = found[document]!
    const isMeant = anyMeant && meant.has(document)
    if (how === 0 && !takesAll && !isMeant) continue
    if (anyDeleted && deleted.has(document)) continue
    if (passesFilters !== null && !passesFilters(document)) continue
    if (passesSequences !== null && !passesSequences(document)) continue
    const boosts = isMeant ? BOOSTS.matchesId : anyBegins && how === EXACT ? (titleBoosts.get(document) ?? 0) : 0
    const boosted = scores[document]! + boosts * ceiling
    const isGuess = how !== EXACT && !isMeant
    if (!isGuess) {
      if (boosted < leastExact) leastExact = boosted
    } else if (boosted > mostGuessed) mostGuessed = boosted
    candidates[count] = document
    scores[count] = boosted
    found[count] = isGuess ? 1 : 0
    count += 1
  }
  return { count, documents: candidates, boosted: scores, guessed: found, leastExact, mostGuessed }
}

function sequencesOf({ segment }: LiveSegment, query: ParsedQuery): (document: number) => boolean {
  const keyOf = query.inTitle ? titleTermKey : termKey
  return createPhraseFilter(
    {
      documents: (term) => new Set(segment.postings(keyOf(term))?.documents),
      texts: (document) => phraseTextsOf(segment.record(document), query.inTitle),
    },
    query,
  )
}

/** By document, the lift of a title that is the query or begins with it. */
function findTitleBoosts({ segment }: LiveSegment, { opening }: ParsedQuery): Map<number, number> {
  const boosts = new Map<number, number>()
  if (opening.length === 0) return boosts
  const line = opening.map((form) => `${stem(form)} `).join('')
  for (const [rest, list] of segment.postingsWithPrefix(titleLineKey(line))) {
    for (const document of list.documents) boosts.set(document, rest === '' ? BOOSTS.isTitle : BOOSTS.isTitlePrefix)
  }
  return boosts
}
