import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  computeFieldShare,
  computeImpact,
  computeTermWeight,
  dequantizeImpact,
  IMPACT_STEPS,
  quantizeImpact,
} from '../../../src/search/rules/bm25'

describe('BM25F', () => {
  it('weights titles more than tags, tags more than criteria, criteria more than descriptions', () => {
    const shares = (['title', 'tags', 'criteria', 'description'] as const).map((field) =>
      computeFieldShare(field, 1, 1),
    )
    expect(shares).toEqual([...shares].sort((a, b) => b - a))
    expect(new Set(shares).size).toBe(4)
  })

  it('matches a manual calculation for one word, twice in a description of half the average length', () => {
    const f = 2 / (1 - 0.7 + 0.7 * 0.5)
    expect(computeImpact(computeFieldShare('description', 2, 0.5))).toBeCloseTo(f / (1.4 + f), 12)
    expect(computeTermWeight({ count: 1, holding: 10, total: 1000 })).toBeCloseTo(2.4 * Math.log(1 + 990.5 / 10.5), 12)
  })

  it('weights a rare word more, and a word of all texts above 0', () => {
    const weights = [1, 10, 100].map((holding) => computeTermWeight({ count: 1, holding, total: 100 }))
    expect(weights).toEqual([...weights].sort((a, b) => b - a))
    expect(weights.at(-1)).toBeGreaterThan(0)
  })

  it('weights a repeated word twice', () => {
    expect(computeTermWeight({ count: 2, holding: 3, total: 9 })).toBe(
      2 * computeTermWeight({ count: 1, holding: 3, total: 9 }),
    )
  })
})

describe('steps of impact', () => {
  it('have an error of half a step at most', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (impact) => {
        const step = quantizeImpact(impact)
        expect(step).toBeGreaterThanOrEqual(0)
        expect(step).toBeLessThan(IMPACT_STEPS)
        expect(Math.abs(dequantizeImpact(step) - impact)).toBeLessThanOrEqual(0.5 / IMPACT_STEPS + 1e-12)
      }),
    )
  })
})
