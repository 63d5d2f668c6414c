import { describe, expect, it } from 'vitest'
import { execute } from '../../../src/kernel'
import { reportSummary } from '../../../src/reports/operations/report-summary'
import { figuresOf } from '../../../src/reports/rules/figures'
import { contextOver, NOW } from '../report-context'
import { shop } from '../sample-workspace'

describe('reports.summary', () => {
  it('gives the figures of what is cached, with the rules behind them', async () => {
    const answer = await execute(reportSummary, {}, await contextOver(shop))
    expect(answer).toEqual({ generatedAt: NOW, ...figuresOf(shop) })
    expect(answer.rules.atRisk).toContain('has changed for 14 days')
  })

  it('has what the summary promises, under its names', async () => {
    const { features, ...answer } = await execute(reportSummary, {}, await contextOver(shop))
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

  it('of an empty workspace is empty', async () => {
    const answer = await execute(reportSummary, {}, await contextOver([]))
    expect(answer).toMatchObject({ asOf: null, completion: null, features: [], byState: [] })
  })
})
