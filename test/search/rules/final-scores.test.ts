import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Candidate, computeFinalScores } from '../../../src/search/rules/final-scores'

const candidate = (more: Partial<Candidate>): Candidate => ({
  relevance: 1,
  exact: true,
  isTitlePrefix: false,
  isTitle: false,
  matchesId: false,
  ...more,
})

describe('scores', () => {
  it('put the requested ID first, then titles that begin with the query, then the rest by relevance', () => {
    const scores = computeFinalScores(
      [
        candidate({ relevance: 9 }),
        candidate({ relevance: 0, exact: false, matchesId: true }),
        candidate({ isTitlePrefix: true }),
        candidate({ relevance: 2 }),
      ],
      10,
    )
    expect(scores).toEqual([9, 30, 11, 2])
  })

  it('do not scale guesses if nothing else was found', () => {
    expect(computeFinalScores([candidate({ exact: false, relevance: 3 })], 10)).toEqual([3])
  })

  it('rank every guess below all exact matches, in the order of relevance', () => {
    const relevance = fc.double({ min: 0.01, max: 9, noNaN: true })
    const some = fc.array(
      fc.record({
        relevance,
        exact: fc.boolean(),
        isTitlePrefix: fc.boolean(),
        isTitle: fc.boolean(),
        matchesId: fc.boolean(),
      }),
    )
    fc.assert(
      fc.property(some, (candidates) => {
        const scores = computeFinalScores(candidates, 10)
        const scored = candidates.map((one, i) => ({ ...one, score: scores[i]!, guess: !one.exact && !one.matchesId }))
        for (const guess of scored.filter((one) => one.guess)) {
          for (const other of scored) {
            if (!other.guess) expect(guess.score).toBeLessThan(other.score)
            else if (guess.relevance < other.relevance) expect(guess.score).toBeLessThanOrEqual(other.score)
          }
        }
      }),
    )
  })
})
