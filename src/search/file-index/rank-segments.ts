import { computeTermWeight, dequantizeImpact } from '../rules/bm25'
import { type ExpandedTerm, orderCompletionsLast } from '../rules/expand-query'
import type { PostingList } from './posting-list'
import type { DeletedDocuments, LiveSegment } from './segment'

/**
 * How the documents of one part are ranked: its `scores`, and in `found` how each was found, not at all, by guesses and completions alone,
 * or as it was written. What was deleted counts for nothing, and may have a score all the same.
 */
export type SegmentScores = ScoreBuffers

const GUESSED = 1
export const EXACT = 2

interface RankedSegments {
  parts: SegmentScores[]
  /** By term that was looked up, the most that it can add to a score. */
  worth: ReadonlyMap<string, number>
  /** More than any score. */
  ceiling: number
}

/** Scores every document that holds any of the terms; `rank` does the same over an index in memory. */
export function rankSegments(
  sought: readonly ExpandedTerm[],
  parts: readonly LiveSegment[],
  { keyOf, total }: { keyOf(term: string): string; total: number },
): RankedSegments {
  const ranked = parts.map(({ segment }, i) => acquireScoreBuffers(i, segment.documents))
  const holdersIn = parts.map((part, i) => createTermMatcher(part, ranked[i]!.best, keyOf))
  const worth = new Map<string, number>()
  let ceiling = 1
  for (const { kind, count, terms } of orderCompletionsLast(sought)) {
    const holders = holdersIn.map((holdersOfTerms) => holdersOfTerms(terms))
    const holding = holders.reduce((sum, { holding }) => sum + holding, 0)
    const weight = computeTermWeight({ count, holding, total })
    if (kind !== 'completion') ceiling += weight
    for (const [term, share] of terms) worth.set(term, Math.max(worth.get(term) ?? 0, weight * share))
    for (const [i, found] of holders.entries()) {
      if (kind === 'completion') found.complete(ranked[i]!, weight)
      else found.addTo(ranked[i]!, weight, kind === 'exact' ? EXACT : GUESSED)
    }
  }
  return { parts: ranked, worth, ceiling }
}

/** The documents of a part that hold what a query's word is looked up as. */
interface TermMatches {
  /** How many they are. */
  readonly holding: number
  addTo(ranked: SegmentScores, weight: number, how: number): void
  /** Completions find what nothing else has found. */
  complete(ranked: SegmentScores, weight: number): void
}

/** Nearly every word is one term, which needs no memory of its own and is gone over once. */
function createTermMatcher(
  part: LiveSegment,
  best: Float64Array,
  keyOf: (term: string) => string,
): (terms: ReadonlyMap<string, number>) => TermMatches {
  let several: MultiTermMatches | null = null
  return (terms) => {
    if (terms.size > 1) {
      several ??= new MultiTermMatches(part, best)
      return several.gather(terms, keyOf)
    }
    for (const [term, share] of terms) {
      const list = part.segment.postings(keyOf(term))
      if (list) return new SingleTermMatches(list, share, part.deleted)
    }
    return NO_MATCHES
  }
}

const NO_MATCHES: TermMatches = { holding: 0, addTo() {}, complete() {} }

class SingleTermMatches implements TermMatches {
  readonly holding: number
  readonly #list: PostingList
  readonly #share: number

  constructor(list: PostingList, share: number, deleted: DeletedDocuments) {
    this.#list = list
    this.#share = share
    this.holding = list.documents.length - (deleted.count > 0 ? countDeleted(list.documents, deleted) : 0)
  }

  addTo(ranked: SegmentScores, weight: number, how: number): void {
    for (const { documents, impact } of this.#steps()) addScores(ranked, documents, { more: weight * impact, how })
  }

  complete(ranked: SegmentScores, weight: number): void {
    for (const { documents, impact } of this.#steps()) addCompletionScores(ranked, documents, weight * impact)
  }

  *#steps(): Generator<{ documents: Uint16Array; impact: number }> {
    const { documents, steps } = this.#list
    let start = 0
    for (const { step, end } of steps) {
      yield { documents: documents.subarray(start, end), impact: dequantizeImpact(step) * this.#share }
      start = end
    }
  }
}

// Loops by themselves: what stands around a loop has not been seen yet when V8 translates it, and makes it give up the translation.

function addScores(
  { scores, found }: SegmentScores,
  documents: Uint16Array,
  { more, how }: { more: number; how: number },
) {
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i]!
    scores[document]! += more
    if (found[document]! < how) found[document] = how
  }
}

function addCompletionScores({ scores, found }: SegmentScores, documents: Uint16Array, score: number) {
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i]!
    if (found[document]! !== 0) continue
    scores[document] = score
    found[document] = GUESSED
  }
}

function countDeleted(documents: Uint16Array, deleted: DeletedDocuments): number {
  let count = 0
  for (const document of documents) if (deleted.has(document)) count += 1
  return count
}

/** For the terms that are looked up as one, the best impact of each document of a part. */
class MultiTermMatches implements TermMatches {
  readonly #part: LiveSegment
  readonly #best: Float64Array
  #documents: Uint16Array = new Uint16Array(0)
  #count = 0

  constructor(part: LiveSegment, best: Float64Array) {
    this.#part = part
    this.#best = best.fill(0)
  }

  get holding(): number {
    return this.#count
  }

  gather(terms: ReadonlyMap<string, number>, keyOf: (term: string) => string): this {
    const { segment, deleted } = this.#part
    const [best, hasDeleted] = [this.#best, deleted.count > 0]
    let count = 0
    for (const [term, share] of terms) {
      const list = segment.postings(keyOf(term))
      if (!list) continue
      const { documents } = list
      const gathered = this.#withRoomFor(count, documents.length)
      let at = 0
      for (const { step, end } of list.steps) {
        const impact = dequantizeImpact(step) * share
        for (; at < end; at++) {
          const document = documents[at]!
          if (hasDeleted && deleted.has(document)) continue
          const known = best[document]!
          if (known === 0) gathered[count++] = document
          if (impact > known) best[document] = impact
        }
      }
    }
    this.#count = count
    return this
  }

  addTo({ scores, found }: SegmentScores, weight: number, how: number): void {
    const [documents, best, count] = [this.#documents, this.#best, this.#count]
    for (let i = 0; i < count; i++) {
      const document = documents[i]!
      scores[document]! += weight * best[document]!
      if (found[document]! < how) found[document] = how
      best[document] = 0
    }
  }

  complete({ scores, found }: SegmentScores, weight: number): void {
    const [documents, best, count] = [this.#documents, this.#best, this.#count]
    for (let i = 0; i < count; i++) {
      const document = documents[i]!
      if (found[document] === 0) {
        scores[document] = weight * best[document]!
        found[document] = GUESSED
      }
      best[document] = 0
    }
  }

  #withRoomFor(count: number, more: number): Uint16Array {
    if (count + more > this.#documents.length) {
      const larger = new Uint16Array(Math.min(this.#best.length, Math.max(2 * this.#documents.length, count + more)))
      larger.set(this.#documents.subarray(0, count))
      this.#documents = larger
    }
    return this.#documents
  }
}

/** What a search works in, a number a document of one part. */
interface ScoreBuffers {
  /** All 0 in the beginning. */
  scores: Float64Array
  /** All 0 in the beginning. */
  found: Uint8Array
  /** Anything in the beginning. */
  best: Float64Array
  /** Anything in the beginning. */
  candidates: Uint16Array
}

const kept: ScoreBuffers[] = []

/**
 * The memory of the search before, for a search is over before the next one begins. Fresh memory would cost more than all the scoring:
 * the system maps it page by page, twice where it is read before it is written.
 * @param part the first of a search is 0.
 */
export function acquireScoreBuffers(part: number, documents: number): ScoreBuffers {
  const large = kept[part]
  if (large && large.scores.length >= documents) {
    const { scores, found, best, candidates } = large
    return {
      scores: scores.subarray(0, documents).fill(0),
      found: found.subarray(0, documents).fill(0),
      best: best.subarray(0, documents),
      candidates: candidates.subarray(0, documents),
    }
  }
  kept[part] = {
    scores: new Float64Array(documents).fill(0),
    found: new Uint8Array(documents).fill(0),
    best: new Float64Array(documents),
    candidates: new Uint16Array(documents),
  }
  return kept[part]
}
