import { ROUNDING_MARGIN, roundScore } from '../rules/final-scores'

export interface ScoredDocument {
  document: number
  /** As people see it. */
  score: number
}

/**
 * The best of a part's documents: higher scores first, and among scores that are shown as the same the lower number.
 * @param scores exact, in the order of `documents`, which is ascending.
 */
export function selectTopDocuments(
  documents: ArrayLike<number>,
  scores: ArrayLike<number>,
  limit: number,
): ScoredDocument[] {
  const least = kthHighest(scores, documents.length, limit) * ROUNDING_MARGIN
  const best: ScoredDocument[] = []
  let [known, shown] = [Number.NaN, Number.NaN]
  for (let i = 0; i < documents.length; i++) {
    const score = scores[i]!
    if (score < least) continue
    if (score !== known) [known, shown] = [score, roundScore(score)]
    best.push({ document: documents[i]!, score: shown })
  }
  return best.sort((a, b) => b.score - a.score || a.document - b.document).slice(0, limit)
}

/** The k-th highest score, or the lowest where there are fewer: a heap of the k highest, the lowest of them on top. */
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
