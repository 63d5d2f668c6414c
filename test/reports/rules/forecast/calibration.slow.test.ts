import { describe, expect, it } from 'vitest'
import { inventedTeams } from './invented-teams'
import { type Days, judge, ours, readTeamA, singleWeeks } from './judged-forecasts'

/** Batches and seasons are not among them: nothing in the method knows them. */
const INVENTED = ['a steady team', 'a team that grows', 'a team that shrinks', 'a team whose pace wanders']
const teams: [name: string, days: () => Days][] = [
  ['a recorded team', readTeamA],
  ...INVENTED.map((name): [string, () => Days] => [name, inventedTeams[name]!]),
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
