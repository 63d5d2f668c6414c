import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderBriefing } from '../../../src/reports/rules/render-briefing'
import { NO_TOTALS, sumTotals } from '../../../src/reports/rules/totals'
import type { Totals } from '../../../src/reports/schemas'
import { buildFigures } from '../at-once'
import { anyLinks } from '../random-workspace'
import { item, shop } from '../sample-workspace'

const ids = (facts: readonly { id: number }[]) => facts.map((fact) => fact.id)

describe('buildFigures', () => {
  const figures = buildFigures(shop)

  it('sums up the whole workspace', () => {
    expect(figures.totals).toEqual({ points: 26, donePoints: 12, items: 15, doneItems: 5, unestimated: 2, blockers: 2 })
    expect(figures.completion).toBe(12 / 26)
    expect(figures.outside).toEqual({ ...NO_TOTALS, points: 3, items: 3, blockers: 1 })
  })

  it('states the newest time of the workspace, and when the items were read', () => {
    expect(figures.asOf).toBe('2026-11-18T09:30:00.000Z')
    expect(figures.fetched).toEqual({ from: '2026-11-17T16:00:00.000Z', to: '2026-11-18T09:30:00.000Z' })
  })

  it('groups by state, type, iteration and person, the largest first', () => {
    expect(figures.byState.map(({ name, totals }) => [name, totals.items])).toEqual([
      ['Active', 7],
      ['Closed', 5],
      ['New', 3],
    ])
    expect(figures.byType.map(({ name }) => name)).toEqual(['User Story', 'Feature', 'Task', 'Bug', 'Epic'])
    expect(figures.byIteration.map(({ name }) => name)).toEqual(['Shop\\Sprint 7'])
    expect(figures.byAssignee.map(({ name, totals }) => [name, totals.items])).toEqual([
      [null, 9],
      ['Mia Chen', 3],
      ['Priya Nair', 3],
    ])
  })

  it('distinguishes two people of the same name by their accounts', () => {
    const lee = (uniqueName: string | null) => ({ assignedTo: { displayName: 'Sam Lee', uniqueName } })
    const { byAssignee } = buildFigures([item(1, lee('sam@a.example')), item(2, lee('sam@b.example'))])
    expect(byAssignee.map(({ name }) => name)).toEqual(['Sam Lee <sam@a.example>', 'Sam Lee <sam@b.example>'])
  })

  it('puts features at risk first, then the open ones, then those that are done', () => {
    const order = buildFigures([
      item(1, { level: 2, stateCategory: 'Completed' }),
      item(2, { level: 2 }),
      item(3, { level: 2, blocked: [{ by: 'tag', itemId: null, evidence: 'tagged Blocked' }] }),
      item(4, { level: 2 }),
    ]).features
    expect(ids(order)).toEqual([3, 2, 4, 1])
  })

  it('leaves out a removed feature unless one of its descendants is not removed', () => {
    const removed = { level: 2, stateCategory: 'Removed' } as const
    const { features } = buildFigures([item(1, removed), item(2, removed), item(3, { parentId: 2 })])
    expect(ids(features)).toEqual([2])
  })

  it('lists blockers, unestimated, recently completed and stale items', () => {
    expect(figures.blockers.map(({ id, signal, featureId }) => [id, signal, featureId])).toEqual([
      [112, 'predecessor', 101],
      [161, 'tag', null],
    ])
    expect(ids(figures.unestimated)).toEqual([113, 114])
    expect(ids(figures.recentlyCompleted)).toEqual([111, 121])
    expect(figures.staleItems.map(({ id, daysSinceChange }) => [id, daysSinceChange])).toEqual([[122, 29]])
  })

  it('counts an item of 13 days as recent, and one of 14 as stale', () => {
    const at = (day: string, stateCategory: 'Completed' | 'InProgress') => ({
      changedAt: `2026-11-${day}T09:30:00.000Z`,
      stateCategory,
    })
    const { recentlyCompleted, staleItems } = buildFigures([
      item(1, at('05', 'Completed')),
      item(2, at('04', 'Completed')),
      item(3, at('05', 'InProgress')),
      item(4, at('04', 'InProgress')),
    ])
    expect(ids(recentlyCompleted)).toEqual([1])
    expect(ids(staleItems)).toEqual([4])
  })

  it('counts from the newest instant that is not in the future', () => {
    const at = (id: number, changedAt: string) => item(id, { changedAt, fetchedAt: '2026-11-17T00:00:00.000Z' })
    const items = [at(1, '2026-11-18T00:00:00.000Z'), at(2, '2026-11-18T00:00:00.001Z')]
    const asOf = (latest: string) => buildFigures(items, { latest }).asOf
    expect(asOf('2026-11-19T00:00:00.000Z')).toBe('2026-11-18T00:00:00.001Z')
    expect(asOf('2026-11-18T00:00:00.000Z')).toBe('2026-11-18T00:00:00.000Z')
    expect(asOf('2026-11-17T12:00:00.000Z')).toBe('2026-11-17T00:00:00.000Z')
    // A clock that has stopped does not make the workspace empty.
    expect(asOf('1970-01-01T00:00:00.000Z')).toBe('2026-11-18T00:00:00.001Z')
  })

  it('does not count an old completion as recent because the item was edited', () => {
    const touched = { stateCategory: 'Completed', changedAt: '2026-11-17T09:30:00.000Z' } as const
    const items = [item(1, touched), item(2, touched), item(3, { ...touched, changedAt: '2026-11-16T09:30:00.000Z' })]
    const spans = new Map([
      [1, { startedAt: null, completedAt: '2026-09-01T08:00:00.000Z', createdAt: null }],
      [2, { startedAt: null, completedAt: '2026-11-10T08:00:00.000Z', createdAt: null }],
    ])
    const all = buildFigures(items, { spans })
    expect(all.recentlyCompleted.map(({ id, completedAt }) => [id, completedAt])).toEqual([
      [3, null],
      [2, '2026-11-10T08:00:00.000Z'],
    ])
    const text = renderBriefing(all)
    expect(text).toContain('1 backlog item was completed: #2')
  })

  it('does not count an item as stale while one of its descendants changes', () => {
    const old = { changedAt: '2026-10-01T00:00:00.000Z', stateCategory: 'InProgress' } as const
    const { staleItems } = buildFigures([
      item(1, { ...old, level: 2 }),
      item(2, { ...old, parentId: 1 }),
      item(3, { level: 0, parentId: 2, changedAt: '2026-11-17T00:00:00.000Z' }),
      item(4, { ...old, parentId: 1 }),
    ])
    expect(ids(staleItems)).toEqual([4])
  })

  it('lists the latest completion and the stalest item first, and all else by ID', () => {
    const at = (day: string, stateCategory: 'Completed' | 'InProgress') => ({
      changedAt: `2026-${day}T09:30:00.000Z`,
      stateCategory,
      blocked: [{ by: 'tag' as const, itemId: null, evidence: 'tagged Blocked' }],
    })
    const { recentlyCompleted, staleItems, blockers, unestimated } = buildFigures([
      item(1, { ...at('09-20', 'InProgress'), parentId: 4 }),
      item(2, { ...at('09-10', 'InProgress'), parentId: 3 }),
      item(3, at('09-20', 'InProgress')),
      item(4, at('11-10', 'Completed')),
      item(5, at('11-12', 'Completed')),
      item(6, at('11-10', 'Completed')),
    ])
    expect(ids(recentlyCompleted)).toEqual([5, 4, 6])
    expect(ids(staleItems)).toEqual([2, 1, 3])
    expect(ids(blockers)).toEqual([1, 2, 3, 4, 5, 6])
    expect(ids(unestimated)).toEqual([1, 2, 3])
  })

  it('covers only the requested items, and still counts days from the newest time of the workspace', () => {
    const narrowed = buildFigures(shop, { ids: [103] })
    expect(ids(narrowed.features)).toEqual([103])
    expect(narrowed.totals).toEqual({ ...NO_TOTALS, points: 5, donePoints: 5, items: 2, doneItems: 2 })
    expect(buildFigures([...shop, item(999, { changedAt: '2027-01-01T00:00:00.000Z' })], { ids: [103] }).asOf).toBe(
      '2027-01-01T00:00:00.000Z',
    )
  })

  it('is empty for an empty workspace', () => {
    expect(buildFigures([])).toMatchObject({
      asOf: null,
      fetched: null,
      totals: NO_TOTALS,
      completion: null,
      features: [],
    })
  })

  it('adds up: features and the rest, and every grouping, sum to the totals', () => {
    fc.assert(
      fc.property(anyLinks, (items) => {
        const { totals, features, outside, byState, byType, byIteration, byAssignee } = buildFigures(items)
        const sum = (parts: readonly Totals[]) => parts.reduce(sumTotals, NO_TOTALS)
        expect(sum([...features, outside])).toEqual(totals)
        for (const groups of [byState, byType, byIteration, byAssignee]) {
          expect(sum(groups.map((group) => group.totals))).toEqual(totals)
        }
      }),
    )
  })
})
