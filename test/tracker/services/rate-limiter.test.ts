import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  computeBackoff,
  defaultLimits,
  parseRetryAfter,
  RateLimiter,
} from '../../../src/tracker/services/requests/rate-limiter'
import { createFakeTiming, never } from '../azure-devops/fixtures'

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

describe('a rate limiter', () => {
  it('delays the next request by the Retry-After of a response', async () => {
    const timing = createFakeTiming()
    const limiter = new RateLimiter(timing)
    limiter.observeRetryAfter(1500)
    expect(limiter.waitMs).toBe(1500)
    await limiter.wait(never)
    expect(timing.slept).toEqual([1500])
    expect(limiter.waitMs).toBe(0)
  })

  it('applies the longest of several delays', () => {
    const limiter = new RateLimiter(createFakeTiming())
    limiter.observeRetryAfter(4000)
    limiter.observeRetryAfter(1000)
    limiter.observeRetryAfter(null)
    expect(limiter.waitMs).toBe(4000)
  })

  it('continues to wait if the delay is extended meanwhile', async () => {
    const timing = createFakeTiming()
    const limiter = new RateLimiter(timing)
    const sleep = timing.sleep
    timing.sleep = async (ms, signal) => {
      if (timing.slept.length === 0) limiter.observeRetryAfter(3000)
      await sleep(ms, signal)
    }
    limiter.observeRetryAfter(1000)
    await limiter.wait(never)
    expect(timing.slept).toEqual([1000, 2000])
  })
})

describe('the backoff before another attempt', () => {
  it('is random between 0 and a bound that doubles up to a maximum', () => {
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
