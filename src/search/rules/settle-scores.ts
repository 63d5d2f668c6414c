/** What is known of an entity that a query's words, or a number in it, found. */
export interface Candidate {
  /** By words alone. */
  relevance: number
  /** False where only guesses and completions found it. */
  exact: boolean
  /** Its title begins with the query's words, in their order. */
  titleBegins: boolean
  /** Its title has no other words than these. */
  titleIs: boolean
  /** The query names its ID. */
  meant: boolean
}

/**
 * The scores that people see, in the order of the candidates. An entity that is meant by its ID stands before one whose title is the
 * query, that one before one whose title begins with it, and that one before all others: each is lifted by the ceiling, which is more
 * than words can give. What only
 * guesses found is scaled down to stand below all that was found as it was written.
 */
export function settleScores(candidates: readonly Candidate[], ceiling: number): number[] {
  const scale = new GuessScale()
  const lifted = candidates.map((candidate) => liftedScore(candidate, ceiling))
  for (const [i, candidate] of candidates.entries()) scale.note(lifted[i]!, isGuess(candidate))
  return candidates.map((candidate, i) => shownScore(lifted[i]! * (isGuess(candidate) ? scale.factor : 1)))
}

/** How often an entity is lifted by the ceiling. */
export const LIFTS = { meant: 3, titleIs: 2, titleBegins: 1 }

function isGuess({ exact, meant }: Candidate): boolean {
  return !exact && !meant
}

function liftedScore({ relevance, exact, titleBegins, titleIs, meant }: Candidate, ceiling: number): number {
  const lifts = meant ? LIFTS.meant : !exact ? 0 : titleIs ? LIFTS.titleIs : titleBegins ? LIFTS.titleBegins : 0
  return relevance + lifts * ceiling
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
    return this.#mostGuessed === 0 ? 1 : Math.min(1, (BELOW_EXACT * this.#leastExact) / this.#mostGuessed)
  }
}

/** Of the least that was found as it was written. */
export const BELOW_EXACT = 0.9

/** Six digits tell all that there is to tell, and what looks like a tie is one. */
export function shownScore(score: number): number {
  return Number(score.toPrecision(6))
}

/** Scores below this part of another are shown as less, whatever the digits. */
export const SURELY_LESS = 1 - 1e-5
