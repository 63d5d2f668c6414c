import { type Entity, newerFirst } from '../entity'
import { hitOf, lookoutFor } from '../hit'
import { expand } from '../rules/expand'
import { distinctValues, type Qualifier, valuesOf } from '../rules/filters'
import type { ParsedQuery } from '../rules/parse-query'
import { GuessScale, LIFTS } from '../rules/settle-scores'
import { stem } from '../rules/stem'
import type { Found, SearchIndex, SearchOptions } from '../search-index'
import { sequenceTest, sequenceTexts } from '../sequence-test'
import { bestDocuments } from './best-documents'
import { filterMask } from './filter-mask'
import { FILTER_KEYS, filterableWith } from './filter-values'
import type { Part } from './part'
import { EXACT, type PartScores, rankParts } from './rank-parts'
import { idKey, termKey, titleLineKey, titleTermKey } from './segment-keys'
import { vocabularyOf } from './vocabulary'

/** One state of the index in files: segments, each less what was deleted from it. */
export class FileIndex implements SearchIndex {
  readonly #parts: readonly Part[]

  constructor(parts: readonly Part[]) {
    this.#parts = parts
  }

  search(query: ParsedQuery, { type, limit }: SearchOptions): Found {
    const parts = this.#parts
    const keyOf = query.inTitle ? titleTermKey : termKey
    const total = parts.reduce((sum, { segment, deleted }) => sum + segment.documents - deleted.count, 0)
    const ranking = rankParts(expand(query, vocabularyOf(parts)), parts, { keyOf, total })
    const scale = new GuessScale()
    const candidates = parts.map((part, i) => {
      const found = candidatesIn(part, ranking.parts[i]!, { query, type, ceiling: ranking.ceiling })
      scale.note(found.leastExact, false)
      scale.note(found.mostGuessed, true)
      return found
    })
    const { factor } = scale
    const best = candidates.flatMap((found, i) => {
      const scores = found.lifted.subarray(0, found.count)
      if (factor < 1) for (let at = 0; at < found.count; at++) if (found.guessed[at] === 1) scores[at]! *= factor
      return bestDocuments(found.documents.subarray(0, found.count), scores, limit).map(
        ({ document, score }) => new Hit(parts[i]!, document, score),
      )
    })
    if (parts.length > 1) best.sort((a, b) => b.score - a.score || newerFirst(a.entity, b.entity))
    const lookout = lookoutFor(query, ranking)
    return {
      total: candidates.reduce((sum, { count }) => sum + count, 0),
      hits: best.slice(0, limit).map(({ entity, score }) => hitOf(entity, score, lookout)),
    }
  }

  /** What only deleted documents had counts until they are cleared away. */
  knownValues(qualifier: Qualifier): string[] {
    const prefix = FILTER_KEYS[qualifier]
    if (qualifier === 'id') return []
    return distinctValues(
      this.#parts.flatMap(({ segment }) =>
        [...segment.keysBeginning(prefix)].flatMap((value) => valuesOf(filterableWith(qualifier, value), qualifier)),
      ),
    )
  }
}

/** Reads its record only when it is needed. */
class Hit {
  readonly score: number
  readonly #part: Part
  readonly #document: number
  #entity: Entity | null = null

  constructor(part: Part, document: number, score: number) {
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
  lifted: Float64Array
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
  part: Part,
  { scores, found, candidates }: PartScores,
  { query, type, ceiling }: Asked,
): Candidates {
  const { segment, deleted } = part
  const { words, phrases, filters, excluded, ids } = query
  const takesAll = phrases.length > 0 || (words.length === 0 && filters.length + excluded.length > 0)
  const meant = new Set(ids.flatMap((id) => [...(segment.postings(idKey(id))?.documents ?? [])]))
  const titleLifts = titleLiftsIn(part, query)
  const passesFilters = filterMask(part, filters, type)
  const passesSequences = phrases.length + excluded.length > 0 ? sequencesOf(part, query) : null
  const [anyDeleted, anyMeant, anyBegins] = [deleted.count > 0, meant.size > 0, titleLifts.size > 0]
  let [count, leastExact, mostGuessed] = [0, Number.POSITIVE_INFINITY, 0]
  for (let document = 0; document < found.length; document++) {
    const how = found[document]!
    const isMeant = anyMeant && meant.has(document)
    if (how === 0 && !takesAll && !isMeant) continue
    if (anyDeleted && deleted.has(document)) continue
    if (passesFilters !== null && !passesFilters(document)) continue
    if (passesSequences !== null && !passesSequences(document)) continue
    const lifts = isMeant ? LIFTS.meant : anyBegins && how === EXACT ? (titleLifts.get(document) ?? 0) : 0
    const lifted = scores[document]! + lifts * ceiling
    const isGuess = how !== EXACT && !isMeant
    if (!isGuess) {
      if (lifted < leastExact) leastExact = lifted
    } else if (lifted > mostGuessed) mostGuessed = lifted
    candidates[count] = document
    scores[count] = lifted
    found[count] = isGuess ? 1 : 0
    count += 1
  }
  return { count, documents: candidates, lifted: scores, guessed: found, leastExact, mostGuessed }
}

function sequencesOf({ segment }: Part, query: ParsedQuery): (document: number) => boolean {
  const keyOf = query.inTitle ? titleTermKey : termKey
  return sequenceTest(
    {
      documents: (term) => new Set(segment.postings(keyOf(term))?.documents),
      texts: (document) => sequenceTexts(segment.record(document), query.inTitle),
    },
    query,
  )
}

/** By document, the lift of a title that is the query or begins with it. */
function titleLiftsIn({ segment }: Part, { opening }: ParsedQuery): Map<number, number> {
  const lifts = new Map<number, number>()
  if (opening.length === 0) return lifts
  const line = opening.map((form) => `${stem(form)} `).join('')
  for (const [rest, list] of segment.postingsBeginning(titleLineKey(line))) {
    for (const document of list.documents) lifts.set(document, rest === '' ? LIFTS.titleIs : LIFTS.titleBegins)
  }
  return lifts
}
