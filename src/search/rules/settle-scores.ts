/** What is known of an entity that a query's words, or a number in it, found. */
export interface Candidate {
  /** By words alone. */
  relevance: number
  /** False where only guesses and completions found it. */
  exact: boolean
  /** Its title begins with the query's words, in their order. */
  titleBegins: boolean
  /** The query names its ID. */
  meant: boolean
}

/**
 * The scores that people see, in the order of the candidates. An entity that is meant by its ID stands before one whose title begins
 * with the query, and that one before all others: each is lifted by the ceiling, which is more than words can give. What only
 * guesses found is scaled down to stand below all that was found as it was written.
 */
export function settleScores(candidates: readonly Candidate[], ceiling: number): number[] {
  const guessed = (candidate: Candidate) => !candidate.exact && !candidate.meant
  const lifted = candidates.map((candidate) => {
    const lifts = candidate.meant ? 2 : candidate.titleBegins && candidate.exact ? 1 : 0
    return candidate.relevance + lifts * ceiling
  })
  let [leastExact, mostGuessed] = [Number.POSITIVE_INFINITY, 0]
  for (const [i, candidate] of candidates.entries()) {
    if (guessed(candidate)) mostGuessed = Math.max(mostGuessed, lifted[i]!)
    else leastExact = Math.min(leastExact, lifted[i]!)
  }
  const scale = mostGuessed === 0 ? 1 : Math.min(1, (BELOW_EXACT * leastExact) / mostGuessed)
  return candidates.map((candidate, i) => rounded(guessed(candidate) ? lifted[i]! * scale : lifted[i]!))
}

const BELOW_EXACT = 0.9

/** Six digits tell all that there is to tell, and what looks like a tie is one. */
function rounded(score: number): number {
  return Number(score.toPrecision(6))
}
