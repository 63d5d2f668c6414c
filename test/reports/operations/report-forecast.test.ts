import { describe, expect, it } from 'vitest'
import { execute } from '../../../src/kernel'
import { generateBriefing } from '../../../src/reports/operations/generate-briefing'
import { reportForecast } from '../../../src/reports/operations/report-forecast'
import { setPriorities } from '../../../src/reports/operations/set-priorities'
import type { ReportItem } from '../../../src/reports/rules/report-item'
import { createContext, saveItem, toTrackerItem } from '../report-context'
import { item } from '../sample-workspace'

const day = (back: number) => new Date(Date.parse('2026-11-20T08:00:00Z') - back * 86_400_000).toISOString()
const feature = { type: 'Feature', level: 2 } as const

/** Two features with ten and four open stories, and 150 stories of a third that were finished in half a year. */
async function createTeam(open = 10) {
  const items: ReportItem[] = [
    item(101, { ...feature, title: 'Returns' }),
    item(102, { ...feature, title: 'Pick-up points' }),
    item(103, { ...feature, title: 'Gift cards' }),
    ...Array.from({ length: open }, (_, i) => item(1_000 + i, { parentId: 101 })),
    ...Array.from({ length: 4 }, (_, i) => item(2_000 + i, { parentId: 102 })),
  ]
  const ctx = await createContext(items)
  const finished = Array.from({ length: 150 }, (_, i) => {
    const closed = day(180 - Math.floor(i * 1.2))
    const done = item(3_000 + i, { parentId: 103, state: 'Closed', stateCategory: 'Completed', changedAt: closed })
    const fields = { 'System.State': 'Closed', 'Microsoft.VSTS.Common.ClosedDate': closed }
    return { ...toTrackerItem(done), fields }
  })
  await ctx.db.write(async (tx) => {
    for (const done of finished) await saveItem(tx, { item: done, predecessors: [] }, '2026-11-18T09:30:00.000Z')
  })
  const wholeCtx = { ...ctx, user: null, sanitizeAlso: [], notice: () => {} } as unknown as typeof ctx &
    Parameters<typeof reportForecast.run>[0]
  return wholeCtx
}

const record = Array.from({ length: 100 }, (_, i) => ({ finished: day(200 - i * 2).slice(0, 10) }))

describe('reports.forecast', () => {
  it('forecasts features in the order of the call, from what the workspace has finished', async () => {
    const answer = await execute(reportForecast, { featureIds: [102, 101], by: '2026-12-24' }, await createTeam())
    expect(answer).toMatchObject({
      asOf: '2026-11-18',
      unit: 'items',
      record: { weeks: 25, to: '2026-11-17' },
      work: [
        { id: 102, title: 'Pick-up points', items: 4 },
        { id: 101, title: 'Returns', items: 10 },
      ],
      missing: [],
      explanation: [],
    })
    const [first, second] = answer.work
    expect(first!.finish!.p85! < second!.finish!.p85!).toBe(true)
    expect(answer.backtest!.right.map(({ percent }) => percent)).toEqual([50, 85, 95])
  })

  it('forecasts the features with a priority, or tells how to choose', async () => {
    const ctx = await createTeam()
    await expect(execute(reportForecast, {}, ctx)).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path: 'featureIds' }],
      hint: expect.anything(),
    })
    await execute(setPriorities, { designated: [101] }, ctx)
    expect((await execute(reportForecast, {}, ctx)).work).toMatchObject([{ id: 101 }])
  })

  it('takes a record of the call, and explains itself when asked', async () => {
    const input = { items: 20, record, explain: true, backtest: true }
    const answer = await execute(reportForecast, input, await createTeam())
    expect(answer).toMatchObject({ asOf: record.at(-1)!.finished, work: [{ id: null, items: 20 }] })
    expect(answer.explanation.length).toBeGreaterThan(5)
    expect(answer.backtest!.right.length).toBeGreaterThan(5)
    expect(answer.curve.length).toBeGreaterThan(10)
  })

  it('says so if a record ends in the future, as one with a mistyped year does', async () => {
    const notesOf = async (finished: string) => {
      const input = { items: 20, record: [...record, { finished }] }
      return (await execute(reportForecast, input, await createTeam())).notes.join(' ')
    }
    expect(await notesOf('2062-11-01')).toContain('The record ends on 1 Nov 2062, in the future')
    expect(await notesOf(record.at(-1)!.finished)).not.toContain('future')
  })

  it.each([
    [{ items: 5, featureIds: [101] }, 'items'],
    [{ record }, 'items'],
    [{ items: 5, asOf: '2026-01-01' }, 'asOf'],
    [{ items: 5, by: '2020-01-01' }, 'by'],
    [{ items: 5, by: '9999-12-31' }, 'by'],
    [{ items: 5, record: [{ finished: '9999-12-31' }] }, 'asOf'],
    [{ items: 0 }, 'items'],
    [{ items: 5, record: [{ finished: 'soon' }] }, 'record.0.finished'],
  ])('refuses %j', async (input, path) => {
    await expect(execute(reportForecast, input, await createTeam())).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path }],
    })
  })

  it('does not know features that are not cached', async () => {
    await expect(execute(reportForecast, { featureIds: [999] }, await createTeam())).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('a briefing', () => {
  it('says in one sentence when the open work is finished, and from what', async () => {
    const { markdown, basis } = await execute(generateBriefing, { mode: 'deterministic' }, await createTeam())
    expect(basis.forecast).toMatch(
      /^14 open items will be finished by .* with a chance of 85%.* the record has \d+ items in 25 weeks/,
    )
    expect(markdown).toContain(basis.forecast!)
  })
})
