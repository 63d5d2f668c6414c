import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../src/kernel/random'
import { drawGamma, drawNormal, drawPoisson } from '../../../../src/reports/rules/forecast/random'
import { type Days, judge, ours, readTeamA, singleWeeks } from './judged-forecasts'

/** A team whose pace changes as `pace` says; a week differs from it by chance. */
function inventTeam(weeks: number, pace: (week: number) => number, seed: number): Days {
  const random = createRandom(seed)
  return Array.from({ length: weeks }, (_, week) => {
    const count = drawPoisson(random, (pace(week) * drawGamma(random, 4)) / 4)
    const days = new Array<number>(7).fill(0)
    for (let i = 0; i < count; i++) days[Math.floor(random() * 5)]!++
    return days
  }).flat()
}

function wander(seed: number, step: number): (week: number) => number {
  const random = createRandom(seed)
  const paces: number[] = []
  return (week) => {
    while (paces.length <= week) paces.push((paces.at(-1) ?? 6) * Math.exp(step * drawNormal(random)))
    return Math.min(30, Math.max(1.5, paces[week]!))
  }
}

const teams: [name: string, days: () => Days][] = [
  ['a recorded team', readTeamA],
  ['a steady team', () => inventTeam(150, () => 7, 3)],
  ['a team that grows', () => inventTeam(170, (week) => 3 + week / 12, 4)],
  ['a team that shrinks', () => inventTeam(170, (week) => 16 - week / 14, 5)],
  ['a team whose pace wanders', () => inventTeam(200, wander(6, 0.08), 7)],
]

describe('a forecast', () => {
  it.each(teams)('is right about as often as it says, for %s', (_, days) => {
    const { right, forecasts } = judge(days(), ours)
    expect(forecasts).toBeGreaterThan(150)
    const [p50, , p85, p95] = right
    expect([p50 > 35 && p50 < 68, p85 > 75 && p85 < 95, p95 > 88], right.join(' ')).toEqual([true, true, true])
  })

  it('of the recorded team is right as often as it says, and loses less than what tools usually do', () => {
    const days = readTeamA()
    const [found, usual] = [judge(days, ours), judge(days, singleWeeks)]
    const [p50, , p85, p95] = found.right
    expect(p50).toBeGreaterThanOrEqual(45)
    expect(p50).toBeLessThanOrEqual(65)
    expect(p85).toBeGreaterThanOrEqual(80)
    expect(p85).toBeLessThanOrEqual(90)
    expect(p95).toBeGreaterThanOrEqual(91)
    expect(p95).toBeLessThanOrEqual(99)
    expect(found.loss / usual.loss).toBeLessThanOrEqual(0.9)
  })
})
