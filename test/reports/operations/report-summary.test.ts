import { describe, expect, it } from 'vitest'
import { execute } from '../../../src/kernel'
import { reportSummary } from '../../../src/reports/operations/report-summary'
import { buildFigures } from '../at-once'
import { createContext, NOW } from '../report-context'
import { item, shop } from '../sample-workspace'

describe('reports.summary', () => {
  it('returns the figures of the cached items, with the rules behind them', async () => {
    const answer = await execute(reportSummary, {}, await createContext(shop))
    expect(answer).toEqual({ generatedAt: NOW, ...buildFigures(shop) })
    expect(answer.rules.atRisk).toContain('has changed for 14 days')
  })

  it('has the documented fields', async () => {
    const { features, ...answer } = await execute(reportSummary, {}, await createContext(shop))
    expect(features[0]).toMatchObject({
      id: 101,
      title: 'Self-service returns',
      completion: 5 / 13,
      points: 13,
      donePoints: 5,
      blockers: 1,
      atRisk: false,
      riskWeight: expect.closeTo(0.25, 2),
    })
    expect(Object.keys(answer)).toEqual(
      expect.arrayContaining(
        'generatedAt totals completion byState byType byIteration byAssignee blockers recentlyCompleted staleItems'.split(
          ' ',
        ),
      ),
    )
  })

  it('does not take the date of an item in the future for today', async () => {
    const far = item(900, { changedAt: '9999-12-31T00:00:00.000Z', fetchedAt: shop[0]!.fetchedAt })
    const [usual, answer] = [
      await execute(reportSummary, {}, await createContext(shop)),
      await execute(reportSummary, {}, await createContext([...shop, far])),
    ]
    expect([answer.asOf, answer.flow!.weeks, answer.staleItems]).toEqual([
      usual.asOf,
      usual.flow!.weeks,
      usual.staleItems,
    ])
    expect(answer.unestimated.find(({ id }) => id === far.id)?.daysSinceChange).toBe(0)
  })

  it('is empty for an empty workspace', async () => {
    const answer = await execute(reportSummary, {}, await createContext([]))
    expect(answer).toMatchObject({ asOf: null, completion: null, features: [], byState: [] })
  })
})
