import { type GuessScale, ROUNDING_MARGIN, roundScore } from '../rules/final-scores'
import { EXACT, GUESSED, type SegmentScores } from './rank-segments'

// Each search runs these loops over all documents of the index, so they do for each as little as they can.

type Found = Pick<SegmentScores, 'scores' | 'found'>

/** How many documents were found, and how many of them exactly. */
export function countFound({ found }: Found): { all: number; exact: number } {
  let [all, exact] = [0, 0]
  const fours = found.byteOffset % 4 === 0 ? found.length >> 2 : 0
  const words = new Uint32Array(found.buffer, fours === 0 ? 0 : found.byteOffset, fours)
  for (let i = 0; i < fours; i++) {
    const word = words[i]!
    // Each byte is 0, `GUESSED` or `EXACT`. The product has the sum of the bytes in its highest one.
    all += Math.imul((word | (word >>> 1)) & LOWEST_BITS, LOWEST_BITS) >>> 24
    exact += Math.imul((word >>> 1) & LOWEST_BITS, LOWEST_BITS) >>> 24
  }
  for (let document = 4 * fours; document < found.length; document++) {
    if (found[document] !== 0) all += 1
    if (found[document] === EXACT) exact += 1
  }
  return { all, exact }
}

const LOWEST_BITS = 0x01010101

/** Notes the scores of all documents that were found. */
export function noteScores({ scores, found }: Found, scale: GuessScale): void {
  for (let document = 0; document < found.length; document++) {
    const how = found[document]!
    if (how !== 0) scale.note(scores[document]!, how === GUESSED)
  }
}

interface ScoredDocument {
  document: number
  /** As people see it. */
  score: number
}

/**
 * The best documents of a segment: higher scores first. Among scores that are shown as equal, lower numbers come first.
 * @param factor of the scores of guesses, at most 1.
 */
export function selectTopDocuments(
  { scores, found }: Found,
  { factor, limit }: { factor: number; limit: number },
): ScoredDocument[] {
  const likely = findLikely({ scores, found }, factor, new Float64Array(limit).fill(Number.NEGATIVE_INFINITY))
  return likely
    .map(({ document, score }) => ({ document, score: roundScore(score) }))
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .slice(0, limit)
}

/**
 * The documents that may be the best ones, and a few more.
 * @param heap for the highest scores so far, with the lowest of them first.
 */
function findLikely({ scores, found }: Found, factor: number, heap: Float64Array): ScoredDocument[] {
  const likely: ScoredDocument[] = []
  let threshold = Number.NEGATIVE_INFINITY
  for (let document = 0; document < scores.length; document++) {
    if (scores[document]! < threshold) continue
    const how = found[document]!
    if (how === 0) continue
    const score = how === GUESSED ? scores[document]! * factor : scores[document]!
    if (score < threshold) continue
    likely.push({ document, score })
    if (score > heap[0]!) {
      sinkFromTop(heap, score)
      threshold = heap[0]! * ROUNDING_MARGIN
    }
  }
  const end = threshold
  return likely.filter(({ score }) => score >= end)
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
