/** What is known of an entity that a query's words, or a number in it, found. */
export interface Candidate {
  /** By words alone. */
  relevance: number
  /** False where only guesses and completions found it. */
  exact: boolean
  /** Its title begins with the query's words, in their order. */
  isTitlePrefix: boolean
  /** Its title has no other words than these. */
  isTitle: boolean
  /** The query names its ID. */
  matchesId: boolean
}

/**
 * The scores that people see, in the order of the candidates. An entity that is meant by its ID stands before one whose title is the
 * query, that one before one whose title begins with it, and that one before all others: each is lifted by the ceiling, which is more
 * than words can give. What only
 * guesses found is scaled down to stand below all that was found as it was written.
 */
export function computeFinalScores(candidates: readonly Candidate[], ceiling: number): number[] {
  const scale = new GuessScale()
  const lifted = candidates.map((candidate) => boostScore(candidate, ceiling))
  for (const [i, candidate] of candidates.entries()) scale.note(lifted[i]!, isGuess(candidate))
  return candidates.map((candidate, i) => roundScore(lifted[i]! * (isGuess(candidate) ? scale.factor : 1)))
}

/** How often an entity is lifted by the ceiling. */
export const BOOSTS = { matchesId: 3, isTitle: 2, isTitlePrefix: 1 }

function isGuess({ exact, matchesId }: Candidate): boolean {
  return !exact && !matchesId
}

function boostScore({ relevance, exact, isTitlePrefix, isTitle, matchesId }: Candidate, ceiling: number): number {
  const boosts = matchesId
    ? BOOSTS.matchesId
    : !exact
      ? 0
      : isTitle
        ? BOOSTS.isTitle
        : isTitlePrefix
          ? BOOSTS.isTitlePrefix
          : 0
  return relevance + boosts * ceiling
}

/** What guesses are scaled by, once all candidates are noted. */
export class GuessScale {
  #leastExact = Number.POSITIVE_INFINITY
  #mostGuessed = 0

  note(lifted: number, guess: boolean): void {
    if (guess) this.#mostGuessed = Math.max(this.#mostGuessed, lifted)
    else this.#leastExact = Math.min(this.#leastExact, lifted)
  }

  get factor(): number {
    return this.#mostGuessed === 0 ? 1 : Math.min(1, (MAX_GUESS_SHARE * this.#leastExact) / this.#mostGuessed)
  }
}

/** Of the least that was found as it was written. */
export const MAX_GUESS_SHARE = 0.9

/** Six digits tell all that there is to tell, and what looks like a tie is one. */
export function roundScore(score: number): number {
  return Number(score.toPrecision(6))
}

/** Scores below this part of another are shown as less, whatever the digits. */
export const ROUNDING_MARGIN = 1 - 1e-5
