/** An entity that the words of a query, or a number in it, match. */
export interface Candidate {
  /** The score of the words alone. */
  relevance: number
  /** False if only guesses and completions match it. */
  exact: boolean
  /** Its title begins with the query's words, in their order. */
  isTitlePrefix: boolean
  /** Its title has no other words than these. */
  isTitle: boolean
  /** The query names its ID. */
  matchesId: boolean
}

/**
 * The displayed scores, in the order of the candidates. An entity whose ID is in the query ranks before one whose title equals the
 * query, then come titles that begin with the query, then all others. Each rank adds the ceiling to the score. The ceiling is more
 * than words can contribute. The score of entities that only
 * guesses match is scaled down, so that they rank below all exact matches.
 */
export function computeFinalScores(candidates: readonly Candidate[], ceiling: number): number[] {
  const scale = new GuessScale()
  const lifted = candidates.map((candidate) => boostScore(candidate, ceiling))
  for (const [i, candidate] of candidates.entries()) scale.note(lifted[i]!, isGuess(candidate))
  return candidates.map((candidate, i) => roundScore(lifted[i]! * (isGuess(candidate) ? scale.factor : 1)))
}

/** How often the ceiling is added to the score of an entity. */
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

/** The scale factor of guesses, after all candidates have been added. */
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

/** The maximum score of a guess, relative to the lowest score of an exact match. */
export const MAX_GUESS_SHARE = 0.9

/** Rounds to six digits, so that scores that look equal are equal. */
export function roundScore(score: number): number {
  return Number(score.toPrecision(6))
}

/** Scores below this share of another score are displayed as lower, regardless of rounding. */
export const ROUNDING_MARGIN = 1 - 1e-5
