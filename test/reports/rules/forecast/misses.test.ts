import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../src/kernel/random'
import { findMisses, type PastForecast, summarizeDays } from '../../../../src/reports/rules/forecast/misses'
import { drawNormal } from '../../../../src/reports/rules/forecast/random'

const WEEKS = 80
const random = createRandom(1)
/** About 40 days, of which two thirds are within 30 %. */
const days = Float64Array.from({ length: 400 }, () => 40 * Math.exp(0.3 * drawNormal(random))).sort()

/** A forecast of 40 days after each of 70 weeks, and what came true. */
function past(actual: (week: number) => number): PastForecast[] {
  return Array.from({ length: 70 }, (_, i) => ({
    week: 10 + i,
    amount: 10,
    days,
    logDays: summarizeDays(days, 700),
    actual: actual(i),
  }))
}

const usual = (n: number) => Math.exp(0.3 * drawNormal(createRandom(n)))

describe('what past forecasts were wrong by', () => {
  it('is nothing if they were right, and without results', () => {
    const { correction, spread } = findMisses(
      past((i) => 40 * usual(i)),
      WEEKS,
      1,
    )
    expect(Math.abs(correction - 1)).toBeLessThan(0.03)
    expect(spread).toBeLessThan(0.12)
    expect(findMisses([], WEEKS, 4)).toEqual({ correction: 1, spread: 0 })
  })

  it('is a faster pace if work was finished earlier, and a slower one if it was finished later', () => {
    expect(
      findMisses(
        past(() => 20),
        WEEKS,
        1,
      ).correction,
    ).toBeGreaterThan(1.5)
    expect(
      findMisses(
        past(() => 80),
        WEEKS,
        1,
      ).correction,
    ).toBeLessThan(0.7)
  })

  it('counts work that is late and not finished yet', () => {
    // Each takes longer than was known then: a result that is known belongs to a time when all was well.
    const late = past((i) => (i < 20 ? 40 * usual(i) : 1_000))
    const known = late.filter(({ actual }) => actual! < 500)
    expect(findMisses(late, WEEKS, 1).correction).toBeLessThan(findMisses(known, WEEKS, 1).correction - 0.2)
  })

  it('does not know what was finished after its weeks', () => {
    const later = past((i) => (i < 50 ? 40 : 300))
    expect(findMisses(later, 62, 1)).toEqual(
      findMisses(
        past((i) => (i < 50 ? 40 : 900)),
        62,
        1,
      ),
    )
  })

  it('is a wider spread if results differ more than was forecast', () => {
    const { spread } = findMisses(
      past((i) => 40 * Math.exp(drawNormal(createRandom(i)))),
      WEEKS,
      1,
    )
    expect(spread).toBeGreaterThan(0.4)
  })

  it('does not summarize days that were not followed to their end', () => {
    expect(summarizeDays(Float64Array.of(10, 900, 3_651), 728)).toBeNull()
    expect(summarizeDays(Float64Array.of(10, 20, 3_651), 728)!.mean).toBeLessThan(Math.log(728))
  })
})
