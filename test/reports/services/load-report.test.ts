import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listCachedItems, listReportables } from '../../../src/items'
import { execute } from '../../../src/kernel'
import { reportSummary } from '../../../src/reports/operations/report-summary'
import type { ReportItem } from '../../../src/reports/rules/report-item'
import { anyLinks } from '../random-workspace'
import { createContext, saveItem, toTrackerItem } from '../report-context'
import { item, shop } from '../sample-workspace'

describe('the items that reports count', () => {
  it('are the cached ones, with the same blockers', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyLinks.map((items) => [...items, ...shop]),
        async (items) => {
          const { db } = await createContext(items)
          const [lean, whole] = await db.read(async (tx) => [await listReportables(tx), await listCachedItems(tx)])
          const byId = new Map(whole.map((one) => [one.id, one]))
          expect(lean.map(({ id }) => id)).toEqual(whole.map(({ id }) => id))
          for (const { isFromFile, ...one } of lean) {
            expect(byId.get(one.id)).toMatchObject(one)
            expect(isFromFile).toBe(byId.get(one.id)!.fromFile != null)
          }
        },
      ),
      { numRuns: 10 },
    )
  })

  it('are complete over many pages', async () => {
    const many = Array.from({ length: 4_321 }, (_, i) => item(i * 3 + 1))
    const { db } = await createContext(many)
    expect((await db.read(listReportables)).map(({ id }) => id)).toEqual(many.map(({ id }) => id))
  })
})

describe('recently completed items', () => {
  it('are found by the history of items at every level', async () => {
    const at = '2026-11-18T10:00:00.000Z'
    const task = item(1, {
      level: 0,
      state: 'Active',
      stateCategory: 'InProgress',
      changedAt: '2026-10-01T10:00:00.000Z',
    })
    const ctx = await createContext([task])
    const read = async (changes: Partial<ReportItem>) => {
      const seen: ReportItem = { ...task, ...changes }
      await ctx.db.write((tx) => saveItem(tx, { item: toTrackerItem(seen), predecessors: [] }, seen.fetchedAt))
    }
    const closed = { state: 'Closed', stateCategory: 'Completed', changedAt: '2026-10-02T10:00:00.000Z' } as const
    await read(closed)
    await read({ ...closed, title: 'Renamed since', changedAt: at, fetchedAt: at })
    expect((await execute(reportSummary, {}, ctx)).recentlyCompleted).toEqual([])
  })
})

describe('the flow of a workspace that was read several times', () => {
  const states = {
    New: { state: 'New', stateCategory: 'Proposed' },
    Active: { state: 'Active', stateCategory: 'InProgress' },
    Closed: { state: 'Closed', stateCategory: 'Completed' },
  } as const
  const day = (month: number, date: number) => new Date(Date.UTC(2026, month - 1, date, 10)).toISOString()

  it('is computed from the snapshots', async () => {
    const others = [item(1, states.New), item(2, states.Active)]
    const ctx = await createContext(others)
    const read = async (id: number, state: keyof typeof states, at: string) => {
      const seen: ReportItem = item(id, { ...states[state], changedAt: at, fetchedAt: at, storyPoints: 2 })
      await ctx.db.write((tx) => saveItem(tx, { item: toTrackerItem(seen), predecessors: [] }, at))
    }
    for (let n = 0; n < 6; n++) {
      await read(10 + n, 'New', day(10, 1))
      await read(10 + n, 'Active', day(10, 5))
      await read(10 + n, 'Closed', day(10, 6 + 5 * n))
    }
    const { flow } = await execute(reportSummary, {}, ctx)
    expect(flow!.weeks.map(({ week, items }) => [week, items])).toEqual([
      ['2026-10-05', 2],
      ['2026-10-12', 1],
      ['2026-10-19', 1],
      ['2026-10-26', 2],
      ['2026-11-02', 0],
      ['2026-11-09', 0],
      ['2026-11-16', 0],
    ])
    expect(flow!.throughput).toEqual({ items: 1, points: 2, weeks: 6 })
    expect(flow!.cycleTime).toEqual({ items: 6, p50: 11, p85: null, p95: null })
    expect(flow!.notes).toEqual([])
  })
})
