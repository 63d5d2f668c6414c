import { describe, expect, it } from 'vitest'
import { computeRetryDelay, MAX_ATTEMPTS } from '../../../../src/docks/events/rules/retry-schedule'
import { HOUR_MS } from '../../../../src/kernel/time'

describe('the time between attempts', () => {
  it('grows from seconds to hours, and ends after about a day', () => {
    const delays = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, i) => computeRetryDelay(i + 1, 0.5)!)
    expect(delays.slice(0, 4)).toEqual([5_000, 20_000, 80_000, 320_000])
    const total = delays.reduce((sum, delay) => sum + delay, 0)
    expect(total).toBeGreaterThan(16 * HOUR_MS)
    expect(total).toBeLessThan(30 * HOUR_MS)
    expect(computeRetryDelay(MAX_ATTEMPTS, 0.5)).toBeNull()
  })

  it('is spread by a fifth in both directions', () => {
    expect([computeRetryDelay(1, 0), computeRetryDelay(1, 1)]).toEqual([4_000, 6_000])
  })
})
