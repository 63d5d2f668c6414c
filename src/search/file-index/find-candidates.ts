import { type Filter, fits, QUALIFIERS } from '../rules/filters'
import { BOOSTS } from '../rules/final-scores'
import type { ParsedQuery } from '../rules/parse-query'
import type { SearchWork } from '../rules/search-work'
import { stem } from '../rules/stem'
import { findPassingDocuments, phraseTextsOf } from '../services/phrase-filter'
import type { EntityType, SearchOptions } from '../services/search-index'
import { EXACT, GUESSED, type SegmentScores } from './rank-segments'
import type { LiveSegment } from './segment'
import { FILTER_KEYS, idKey, PART_SEPARATOR, termKey, titleLineKey, titleTermKey, toFilterable } from './segment-format'

interface CandidateOptions {
  query: ParsedQuery
  type: SearchOptions['type']
  ceiling: number
  work: SearchWork
}

/**
 * Leaves in the buffers the documents that words and IDs found, or all documents if only phrases or filters decide, after filtering: with
 * the scores that decide their order. Each is found exactly or as a guess.
 */
export async function findCandidates(
  part: LiveSegment,
  buffers: SegmentScores,
  { query, type, ceiling, work }: CandidateOptions,
): Promise<void> {
  const { segment, deleted } = part
  const { found } = buffers
  const { words, phrases, filters, excluded, ids } = query
  const takesAll = phrases.length > 0 || (words.length === 0 && filters.length + excluded.length > 0)
  const idMatches = new Set(ids.flatMap((id) => [...(segment.postings(idKey(id))?.documents ?? [])]))
  const titleBoosts = findTitleBoosts(part, query)
  const filtered = await markFiltered(part, { filters, type, work })
  const isCandidate = (document: number) =>
    (takesAll || found[document] !== 0 || idMatches.has(document)) &&
    !deleted.has(document) &&
    (filtered === null || filtered[document] === 1)
  const inSequence =
    phrases.length + excluded.length > 0 ? await markSequences(part, { query, isCandidate, work }) : null
  const wordsDecide = !takesAll && deleted.count + idMatches.size + titleBoosts.size === 0
  if (wordsDecide && filtered === null && inSequence === null) return
  selectCandidates(buffers, { takesAll, deleted, idMatches, titleBoosts, filtered, inSequence, ceiling })
}

interface Conditions {
  takesAll: boolean
  deleted: LiveSegment['deleted']
  idMatches: ReadonlySet<number>
  titleBoosts: ReadonlyMap<number, number>
  filtered: Uint8Array | null
  inSequence: Uint8Array | null
  ceiling: number
}

/**
 * A cold process runs this loop before it is compiled, so it makes no unnecessary calls. A function that waits is no place for it: V8 stores
 * each number of such a function in memory.
 */
function selectCandidates(
  { scores, found }: SegmentScores,
  { takesAll, deleted, idMatches, titleBoosts, filtered, inSequence, ceiling }: Conditions,
): void {
  const [hasDeleted, hasIdMatches, hasTitleBoosts] = [deleted.count > 0, idMatches.size > 0, titleBoosts.size > 0]
  for (let document = 0; document < found.length; document++) {
    const how = found[document]!
    const matchesId = hasIdMatches && idMatches.has(document)
    if (how === 0 && !takesAll && !matchesId) continue
    if (
      (hasDeleted && deleted.has(document)) ||
      (filtered !== null && filtered[document] === 0) ||
      (inSequence !== null && inSequence[document] === 0)
    ) {
      found[document] = 0
      scores[document] = 0
      continue
    }
    const boosts = matchesId ? BOOSTS.matchesId : hasTitleBoosts && how === EXACT ? (titleBoosts.get(document) ?? 0) : 0
    if (boosts > 0) scores[document]! += boosts * ceiling
    found[document] = how === EXACT || matchesId ? EXACT : GUESSED
  }
}

/** By document, 1 if it has the phrases of the query and none of the excluded ones. */
function markSequences(
  { segment }: LiveSegment,
  { query, isCandidate, work }: { query: ParsedQuery; isCandidate(document: number): boolean; work: SearchWork },
): Promise<Uint8Array> {
  const keyOf = query.inTitle ? titleTermKey : termKey
  return findPassingDocuments(
    {
      size: segment.documents,
      postings: (term) => segment.postings(keyOf(term))?.documents ?? [],
      texts: (document) => phraseTextsOf(segment.record(document), query.inTitle),
      isCandidate,
    },
    query,
    work,
  )
}

/** By document, the boost of a title that equals the query or begins with it. */
function findTitleBoosts({ segment }: LiveSegment, { opening }: ParsedQuery): Map<number, number> {
  const boosts = new Map<number, number>()
  if (opening.length === 0) return boosts
  const line = opening.map((form) => `${stem(form)} `).join('')
  for (const [rest, list] of segment.postingsWithPrefix(titleLineKey(line))) {
    for (const document of list.documents) boosts.set(document, rest === '' ? BOOSTS.isTitle : BOOSTS.isTitlePrefix)
  }
  return boosts
}

/**
 * By document, 1 if it has the type and passes the filters, as in `passes`; null if all do. Filters are applied to each distinct value, not
 * to each document.
 */
async function markFiltered(
  { segment }: LiveSegment,
  { filters, type, work }: { filters: readonly Filter[]; type: EntityType | undefined; work: SearchWork },
): Promise<Uint8Array | null> {
  if (filters.length === 0 && type === undefined) return null
  const passing = type === undefined ? new Uint8Array(segment.documents).fill(1) : maskOfType(segment, type)
  for (const qualifier of QUALIFIERS) {
    const own = filters.filter((filter) => filter.qualifier === qualifier)
    const alternatives =
      own.some(({ negated }) => !negated) && qualifier !== 'tag' ? new Uint8Array(segment.documents) : null
    for (const filter of own) {
      const fitting = maskOfFilter(segment, filter)
      if (filter.negated || alternatives === null) unmark(passing, fitting, filter.negated ? 1 : 0)
      else for (let i = 0; i < fitting.length; i++) alternatives[i]! |= fitting[i]!
      await work.checkpoint()
    }
    if (alternatives !== null) unmark(passing, alternatives, 0)
  }
  return passing
}

/** Unmarks the documents that have this value in the other mask. */
function unmark(mask: Uint8Array, other: Uint8Array, value: 0 | 1): void {
  for (let i = 0; i < mask.length; i++) if (other[i] === value) mask[i] = 0
}

function maskOfType(segment: LiveSegment['segment'], type: EntityType): Uint8Array {
  const mask = new Uint8Array(segment.documents)
  for (const [, list] of segment.postingsWithPrefix(`${FILTER_KEYS.type}${type}${PART_SEPARATOR}`))
    markAll(mask, list.documents)
  return mask
}

function maskOfFilter(segment: LiveSegment['segment'], filter: Filter): Uint8Array {
  const mask = new Uint8Array(segment.documents)
  if (filter.qualifier === 'id') return maskOfId(segment, filter)
  const prefix = FILTER_KEYS[filter.qualifier]
  for (const value of [...segment.keysWithPrefix(prefix)]) {
    if (fits(toFilterable(filter.qualifier, value), filter)) markAll(mask, segment.postings(prefix + value)!.documents)
  }
  return mask
}

/** Looked up by key, because each document has its own ID. */
function maskOfId(segment: LiveSegment['segment'], { value, ids }: Filter): Uint8Array {
  const mask = new Uint8Array(segment.documents)
  for (const id of ids ?? (value === null ? [] : [Number(value.replace('#', ''))])) {
    const list = segment.postings(idKey(id))
    if (list) markAll(mask, list.documents)
  }
  return mask
}

function markAll(mask: Uint8Array, documents: Uint16Array): void {
  for (const document of documents) mask[document] = 1
}
