/**
 * BM25F (Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, 3.6), summed over a query's words:
 *
 *     score  = Σ count · idf · (k1 + 1) · impact          count: how often the query contains the word
 *     impact = f / (k1 + f)                               from 0 to 1
 *     f      = Σ over the fields of share = weight · times / (1 − b + b · length / average length)
 *     idf    = ln(1 + (N − n + 0.5) / (n + 0.5))          n of all N entities contain the word
 *
 * The constants are those that ranked best on public test collections.
 */
const K1 = 1.4
const B = 0.7
const WEIGHTS = { title: 3, tags: 2, criteria: 1.25, description: 1 }

export type Field = keyof typeof WEIGHTS
export const FIELDS = Object.keys(WEIGHTS) as Field[]

export function computeFieldShare(field: Field, times: number, relativeLength: number): number {
  return (WEIGHTS[field] * times) / computeLengthFactor(relativeLength)
}

/** In the order of `FIELDS`. */
export const FIELD_WEIGHTS: readonly number[] = FIELDS.map((field) => WEIGHTS[field])

/** The divisor of a weighted count in a field of this relative length. */
export function computeLengthFactor(relativeLength: number): number {
  return 1 - B + B * relativeLength
}

export function computeImpact(shares: number): number {
  return shares / (K1 + shares)
}

/** The factor of an idf. */
export const IDF_FACTOR = K1 + 1

/** The maximum that a word adds to a score: the factor of its impacts. */
export function computeTermWeight(word: { count: number; holding: number; total: number }): number {
  const idf = Math.log(1 + (word.total - word.holding + 0.5) / (word.holding + 0.5))
  return word.count * idf * IDF_FACTOR
}

/** Impacts are stored in steps. A step is finer than any difference in relevance. */
export const IMPACT_STEPS = 32

/** Step 0 holds the greatest impacts. */
export function quantizeImpact(impact: number): number {
  return Math.min(IMPACT_STEPS - 1, Math.floor((1 - impact) * IMPACT_STEPS))
}

/** The middle of a step. */
export function dequantizeImpact(step: number): number {
  return 1 - (step + 0.5) / IMPACT_STEPS
}
