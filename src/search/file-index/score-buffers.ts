/** What a search works in, a number a document of one part. */
export interface ScoreBuffers {
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
