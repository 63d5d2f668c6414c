import { computeTermWeight, dequantizeImpact } from '../rules/bm25'
import { type ExpandedTerm, orderCompletionsLast } from '../rules/expand-query'
import type { SearchWork } from '../rules/search-work'
import type { PostingList } from './posting-list'
import type { DeletedDocuments, LiveSegment } from './segment'

/**
 * The ranking of one segment: its `scores`, and in `found` how each document was found: not at all, only by guesses and completions, or
 * exactly. Deleted documents may have scores, but are not counted.
 */
export type SegmentScores = ScoreBuffers

export const GUESSED = 1
export const EXACT = 2

interface RankedSegments {
  parts: SegmentScores[]
  /** By term, the maximum that it adds to a score. */
  termWeights: ReadonlyMap<string, number>
  /** Greater than any score. */
  ceiling: number
}

/**
 * Scores every document that contains any of the terms. `rankDocuments` does the same for an index in memory.
 * @param buffers by segment.
 */
export async function rankSegments(
  expandedTerms: readonly ExpandedTerm[],
  { parts, buffers: ranked }: { parts: readonly LiveSegment[]; buffers: ScoreBuffers[] },
  { keyOf, total, work }: { keyOf(term: string): string; total: number; work: SearchWork },
): Promise<RankedSegments> {
  const matchersByPart = parts.map((part, i) => createTermMatcher(part, ranked[i]!.best, keyOf))
  const termWeights = new Map<string, number>()
  let ceiling = 1
  for (const { kind, count, terms } of orderCompletionsLast(expandedTerms)) {
    const matches = matchersByPart.map((findMatches) => findMatches(terms))
    const holding = matches.reduce((sum, { holding }) => sum + holding, 0)
    work.postings += holding
    const weight = computeTermWeight({ count, holding, total })
    if (kind !== 'completion') ceiling += weight
    for (const [term, share] of terms) termWeights.set(term, Math.max(termWeights.get(term) ?? 0, weight * share))
    for (const [i, found] of matches.entries()) {
      if (kind === 'completion') found.complete(ranked[i]!, weight)
      else found.addTo(ranked[i]!, weight, kind === 'exact' ? EXACT : GUESSED)
    }
    await work.checkpoint()
  }
  return { parts: ranked, termWeights, ceiling }
}

/** The documents of a segment that contain a word of the query in any of its forms. */
interface TermMatches {
  /** The number of documents. */
  readonly holding: number
  addTo(ranked: SegmentScores, weight: number, how: number): void
  /** Adds documents that no other term has found. */
  complete(ranked: SegmentScores, weight: number): void
}

/** Most words are one term, which needs no extra memory and only one pass. */
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
    for (const { documents, impact } of this.#steps()) {
      if (how === EXACT) addExactScores(ranked, documents, weight * impact)
      else addGuessedScores(ranked, documents, weight * impact)
    }
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

// These loops are separate functions, because V8 gives up compiling a function if code around a loop has not run yet.

function addExactScores({ scores, found }: SegmentScores, documents: Uint16Array, more: number) {
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i]!
    scores[document]! += more
    found[document] = EXACT
  }
}

function addGuessedScores({ scores, found }: SegmentScores, documents: Uint16Array, more: number) {
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i]!
    scores[document]! += more
    if (found[document] === 0) found[document] = GUESSED
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

/** Several terms that count as one word: uses the best impact of each document. */
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

/** The buffers of a search, with one entry per document of a segment. */
interface ScoreBuffers {
  /** All 0 in the beginning. */
  scores: Float64Array
  /** All 0 in the beginning. */
  found: Uint8Array
  /** Anything in the beginning. */
  best: Float64Array
}

/** The buffers of the last search; null while a search uses them. */
let cachedBuffers: ScoreBuffers[] | null = []

/**
 * Runs a search with buffers for its segments: those of the previous search, or new ones while another search waits between its steps.
 * Allocating memory would cost more than scoring, because the system maps it page by page.
 * @param sizes the number of documents of each segment.
 */
export async function withScoreBuffers<Result>(
  sizes: readonly number[],
  search: (buffers: ScoreBuffers[]) => Promise<Result>,
): Promise<Result> {
  const cached = cachedBuffers ?? []
  cachedBuffers = null
  try {
    return await search(sizes.map((documents, part) => takeBuffers(cached, part, documents)))
  } finally {
    cachedBuffers = cached
  }
}

function takeBuffers(cached: ScoreBuffers[], part: number, documents: number): ScoreBuffers {
  const large = cached[part]
  if (large && large.scores.length >= documents) {
    const { scores, found, best } = large
    return {
      scores: scores.subarray(0, documents).fill(0),
      found: found.subarray(0, documents).fill(0),
      best: best.subarray(0, documents),
    }
  }
  cached[part] = {
    scores: new Float64Array(documents).fill(0),
    found: new Uint8Array(documents).fill(0),
    best: new Float64Array(documents),
  }
  return cached[part]
}
