import { describe, expect, it } from 'vitest'
import { runAtOnce } from '../../../../src/kernel'
import { learnFromRecord } from '../../../../src/reports/rules/forecast/backtest'
import { buildRecord } from '../../../../src/reports/rules/forecast/record'
import { findPercentile, simulate } from '../../../../src/reports/rules/forecast/simulate'

/** `perDay` items on each of the days 0 to 139, and what was learned from them. */
function learn(perDay: number) {
  const finished = Array.from({ length: 140 }, (_, day) => ({ day, size: perDay }))
  const record = buildRecord(finished, { lastDay: 139 })
  return { record, ...runAtOnce(learnFromRecord(record, 1)) }
}

describe('the simulation', () => {
  it('finishes the work of a large team at its pace', () => {
    const { record, belief } = learn(1_000_000)
    const { days, counts } = runAtOnce(
      simulate(record, belief, { amounts: [10_000_000], countAfter: 70, seed: 1, runs: 500 }),
    )
    expect(findPercentile(days[0]!, 50)).toBeGreaterThanOrEqual(8)
    expect(findPercentile(days[0]!, 50)).toBeLessThanOrEqual(12)
    expect(findPercentile(counts, 50) / 70_000_000).toBeCloseTo(1, 0)
  })

  it('does nothing on days off, for a small and a large team', () => {
    for (const perDay of [1, 1_000]) {
      const { record, belief } = learn(perDay)
      const closed = { ...record, isOff: (day: number) => day > record.lastDay && day <= record.lastDay + 10 }
      const { days, counts } = runAtOnce(simulate(closed, belief, { amounts: [1], countAfter: 10, seed: 1, runs: 200 }))
      expect([days[0]![0]! > 10, counts.at(-1)]).toEqual([true, 0])
    }
  })
})
