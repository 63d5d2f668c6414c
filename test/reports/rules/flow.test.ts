import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computePercentile, FLOW_WEEKS, getWeek, listWeeks, selectFlowItems } from '../../../src/reports/rules/flow'
import { buildFigures } from '../at-once'
import { item } from '../sample-workspace'
import { buildShopHistory } from '../shop-history'

const done = { stateCategory: 'Completed' } as const

describe('buildFlow', () => {
  const flow = buildShopHistory().flow!

  it('counts completed items by week, from the first week with a completion to the week of asOf', () => {
    expect(flow.weeks.map(({ week, isWhole, items, points }) => [week, isWhole, items, points])).toEqual([
      ['2026-10-12', true, 2, 8],
      ['2026-10-19', true, 1, 5],
      ['2026-10-26', true, 0, 0],
      ['2026-11-02', true, 0, 0],
      ['2026-11-09', true, 1, 8],
      ['2026-11-16', false, 1, 2],
    ])
  })

  it("counts today's items that were open at the end of each week", () => {
    expect(flow.weeks.map(({ remainingItems, remainingPoints }) => [remainingItems, remainingPoints])).toEqual([
      [9, 29],
      [8, 24],
      [8, 24],
      [8, 24],
      [7, 16],
      [6, 14],
    ])
  })

  it('computes throughput as the mean of the whole weeks, and only the median cycle time of few items', () => {
    expect(flow.throughput).toEqual({ items: 0.8, points: 4.2, weeks: 5 })
    expect(flow.cycleTime).toEqual({ items: 5, p50: 4, p85: null, p95: null })
  })

  it('computes percentiles by nearest rank from ten items on', () => {
    const cycleTimeOf = (n: number) => {
      const items = Array.from({ length: n }, (_, index) =>
        item(index + 1, { ...done, changedAt: '2026-11-17T10:00:00.000Z' }),
      )
      const span = (days: number) => ({
        startedAt: new Date(Date.parse('2026-11-17T10:00:00.000Z') - days * 86_400_000).toISOString(),
        completedAt: '2026-11-17T10:00:00.000Z',
        createdAt: null,
      })
      return buildFigures(items, { spans: new Map(items.map(({ id }) => [id, span(id)])) }).flow!.cycleTime
    }
    expect(cycleTimeOf(9)).toEqual({ items: 9, p50: 5, p85: null, p95: null })
    expect(cycleTimeOf(10)).toEqual({ items: 10, p50: 5, p85: 9, p95: 10 })
  })

  it('says which figures lack history', () => {
    expect(buildFigures([item(1, { ...done, storyPoints: 1 }), item(2)]).flow).toEqual({
      weeks: [],
      throughput: null,
      cycleTime: null,
      completed: [],
      notes: [
        'The history is too short for a throughput: at least 3 whole weeks since the first known completion are needed, and there are none.',
        'The history is too short for cycle times: at least 5 completed items with a known start and end are needed, and there are none.',
        '1 completed item is left out: it is not known when it was completed.',
      ],
    })
  })

  it('is null for an empty workspace', () => {
    expect(buildFigures([]).flow).toBeNull()
  })

  it('covers completed items at requirement level that were changed within its weeks', () => {
    const asOf = '2026-11-18T09:30:00.000Z'
    const items = [
      item(1, { ...done, changedAt: '2026-11-10T00:00:00.000Z' }),
      item(2, { ...done, changedAt: '2026-08-24T00:00:00.000Z' }),
      item(3, { ...done, changedAt: '2026-08-23T23:59:59.999Z' }),
      item(4, { ...done, level: 0 }),
      item(5, { ...done, level: 2 }),
      item(6),
    ]
    expect(selectFlowItems(items, asOf).map(({ id }) => id)).toEqual([1, 2])
    expect(FLOW_WEEKS).toBe(12)
  })
})

describe('weeks', () => {
  it('begin on Monday, in UTC', () => {
    expect(getWeek('2026-11-22T23:59:59.999Z').monday).toBe('2026-11-16')
    expect(getWeek('2026-11-23T00:00:00.000Z').monday).toBe('2026-11-23')
    expect(getWeek('1969-12-31T12:00:00.000Z').monday).toBe('1969-12-29')
  })

  it('follow each other without gap or overlap, and contain both instants', () => {
    const moment = fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((d) => d.toISOString())
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 400 }), (first, days) => {
        const last = new Date(Date.parse(first) + days * 86_400_000).toISOString()
        const weeks = listWeeks(first, last)
        expect(weeks[0]!.from <= first && first < weeks[0]!.to).toBe(true)
        expect(weeks.at(-1)!.from <= last && last < weeks.at(-1)!.to).toBe(true)
        for (const [i, week] of weeks.entries()) if (i > 0) expect(week.from).toBe(weeks[i - 1]!.to)
      }),
    )
  })
})

describe('computePercentile', () => {
  it('returns the smallest value that at least this percentage of values does not exceed', () => {
    const values = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(values, fc.constantFrom(50, 85, 95), (days, percent) => {
        const found = computePercentile(
          days.toSorted((a, b) => a - b),
          percent,
        )
        const shareUpTo = (value: number) => days.filter((each) => each <= value).length / days.length
        expect(shareUpTo(found)).toBeGreaterThanOrEqual(percent / 100)
        const smaller = days.filter((each) => each < found)
        expect(smaller.every((each) => shareUpTo(each) < percent / 100)).toBe(true)
      }),
    )
  })
})
