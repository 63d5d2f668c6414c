import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeBackoff, defaultLimits, parseRetryAfter, RateLimiter } from '../../../src/tracker/services/rate-limiter'
import { never, stillTiming } from '../azure-devops/fixtures'

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 5, 12)

  it.each([
    ['7', 7000],
    ['0.5', 500],
    [' 2 ', 2000],
    ['-3', 0],
    ['Mon, 05 Jan 2026 12:00:09 GMT', 9000],
    ['Mon, 05 Jan 2026 11:00:00 GMT', 0],
    ['', null],
    ['soon', null],
    [null, null],
  ])('%j is %j ms', (header, ms) => {
    expect(parseRetryAfter(header, now)).toBe(ms)
  })
})

describe('the pace', () => {
  it('lets the next request wait for what was heard', async () => {
    const timing = stillTiming()
    const pace = new RateLimiter(timing)
    pace.observeRetryAfter(1500)
    expect(pace.waitMs).toBe(1500)
    await pace.wait(never)
    expect(timing.slept).toEqual([1500])
    expect(pace.waitMs).toBe(0)
  })

  it('keeps to the longest of several', () => {
    const pace = new RateLimiter(stillTiming())
    pace.observeRetryAfter(4000)
    pace.observeRetryAfter(1000)
    pace.observeRetryAfter(null)
    expect(pace.waitMs).toBe(4000)
  })

  it('waits on where it was slowed down again meanwhile', async () => {
    const timing = stillTiming()
    const pace = new RateLimiter(timing)
    const sleep = timing.sleep
    timing.sleep = async (ms, signal) => {
      if (timing.slept.length === 0) pace.observeRetryAfter(3000)
      await sleep(ms, signal)
    }
    pace.observeRetryAfter(1000)
    await pace.wait(never)
    expect(timing.slept).toEqual([1000, 2000])
  })
})

describe('the wait before another attempt', () => {
  it('is anything from nothing to a bound that doubles, up to a cap', () => {
    const limits = { ...defaultLimits, backoffMs: 400, backoffCapMs: 10_000 }
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, chance) => {
          const wait = computeBackoff(attempt, limits, () => chance)
          expect(wait).toBeGreaterThanOrEqual(0)
          expect(wait).toBeLessThan(Math.min(10_000, 400 * 2 ** (attempt - 1)))
        },
      ),
    )
    expect(computeBackoff(3, limits, () => 0.5)).toBe(800)
  })
})
