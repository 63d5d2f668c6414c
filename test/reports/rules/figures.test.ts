import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { briefingText } from '../../../src/reports/rules/briefing-text'
import { figuresOf } from '../../../src/reports/rules/figures'
import { noTotals, plus, type Totals } from '../../../src/reports/rules/totals'
import { anyLinks } from '../random-workspace'
import { item, shop } from '../sample-workspace'

const ids = (facts: readonly { id: number }[]) => facts.map((fact) => fact.id)

describe('leadership figures', () => {
  const figures = figuresOf(shop)

  it('sum up the whole workspace', () => {
    expect(figures.totals).toEqual({ points: 26, donePoints: 12, items: 15, doneItems: 5, unestimated: 2, blockers: 2 })
    expect(figures.completion).toBe(12 / 26)
    expect(figures.outside).toEqual({ ...noTotals, points: 3, items: 3, blockers: 1 })
  })

  it('say as of when: the newest moment of the workspace, and when the items were read', () => {
    expect(figures.asOf).toBe('2026-11-18T09:30:00.000Z')
    expect(figures.fetched).toEqual({ from: '2026-11-17T16:00:00.000Z', to: '2026-11-18T09:30:00.000Z' })
  })

  it('group by state, type, iteration and person, the largest first', () => {
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

  it('tell two people of one name apart by their accounts', () => {
    const lee = (uniqueName: string | null) => ({ assignedTo: { displayName: 'Sam Lee', uniqueName } })
    const { byAssignee } = figuresOf([item(1, lee('sam@a.example')), item(2, lee('sam@b.example'))])
    expect(byAssignee.map(({ name }) => name)).toEqual(['Sam Lee <sam@a.example>', 'Sam Lee <sam@b.example>'])
  })

  it('put features at risk first, then the open ones, then those that are done', () => {
    const order = figuresOf([
      item(1, { level: 2, stateCategory: 'Completed' }),
      item(2, { level: 2 }),
      item(3, { level: 2, blocked: [{ by: 'tag', itemId: null, evidence: 'tagged Blocked' }] }),
      item(4, { level: 2 }),
    ]).features
    expect(ids(order)).toEqual([3, 2, 4, 1])
  })

  it('leave out a removed feature, unless something below it is alive', () => {
    const removed = { level: 2, stateCategory: 'Removed' } as const
    const { features } = figuresOf([item(1, removed), item(2, removed), item(3, { parentId: 2 })])
    expect(ids(features)).toEqual([2])
  })

  it('list blockers, what is not estimated, what was completed lately and what does not move', () => {
    expect(figures.blockers.map(({ id, signal, featureId }) => [id, signal, featureId])).toEqual([
      [112, 'predecessor', 101],
      [161, 'tag', null],
    ])
    expect(ids(figures.unestimated)).toEqual([113, 114])
    expect(ids(figures.recentlyCompleted)).toEqual([111, 121])
    expect(figures.staleItems.map(({ id, daysSinceChange }) => [id, daysSinceChange])).toEqual([[122, 29]])
  })

  it('count an item of 13 days as recent, and one of 14 as stale', () => {
    const at = (day: string, stateCategory: 'Completed' | 'InProgress') => ({
      changedAt: `2026-11-${day}T09:30:00.000Z`,
      stateCategory,
    })
    const { recentlyCompleted, staleItems } = figuresOf([
      item(1, at('05', 'Completed')),
      item(2, at('04', 'Completed')),
      item(3, at('05', 'InProgress')),
      item(4, at('04', 'InProgress')),
    ])
    expect(ids(recentlyCompleted)).toEqual([1])
    expect(ids(staleItems)).toEqual([4])
  })

  it('do not take an old item that was touched lately for completed lately', () => {
    const touched = { stateCategory: 'Completed', changedAt: '2026-11-17T09:30:00.000Z' } as const
    const items = [item(1, touched), item(2, touched), item(3, { ...touched, changedAt: '2026-11-16T09:30:00.000Z' })]
    const spans = new Map([
      [1, { startedAt: null, completedAt: '2026-09-01T08:00:00.000Z', createdAt: null }],
      [2, { startedAt: null, completedAt: '2026-11-10T08:00:00.000Z', createdAt: null }],
    ])
    const all = figuresOf(items, { spans })
    expect(all.recentlyCompleted.map(({ id, completedAt }) => [id, completedAt])).toEqual([
      [3, null],
      [2, '2026-11-10T08:00:00.000Z'],
    ])
    const text = briefingText(all)
    expect(text).toContain('1 backlog item was completed: #2')
  })

  it('do not take an item for stale while something below it moves', () => {
    const old = { changedAt: '2026-10-01T00:00:00.000Z', stateCategory: 'InProgress' } as const
    const { staleItems } = figuresOf([
      item(1, { ...old, level: 2 }),
      item(2, { ...old, parentId: 1 }),
      item(3, { level: 0, parentId: 2, changedAt: '2026-11-17T00:00:00.000Z' }),
      item(4, { ...old, parentId: 1 }),
    ])
    expect(ids(staleItems)).toEqual([4])
  })

  it('list the newest completed and the longest unmoved first, and all else by id', () => {
    const at = (day: string, stateCategory: 'Completed' | 'InProgress') => ({
      changedAt: `2026-${day}T09:30:00.000Z`,
      stateCategory,
      blocked: [{ by: 'tag' as const, itemId: null, evidence: 'tagged Blocked' }],
    })
    const { recentlyCompleted, staleItems, blockers, unestimated } = figuresOf([
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

  it('narrow to the items asked for, and still count days from the newest moment of the workspace', () => {
    const narrowed = figuresOf(shop, { ids: [103] })
    expect(ids(narrowed.features)).toEqual([103])
    expect(narrowed.totals).toEqual({ ...noTotals, points: 5, donePoints: 5, items: 2, doneItems: 2 })
    expect(figuresOf([...shop, item(999, { changedAt: '2027-01-01T00:00:00.000Z' })], { ids: [103] }).asOf).toBe(
      '2027-01-01T00:00:00.000Z',
    )
  })

  it('of nothing are nothing', () => {
    expect(figuresOf([])).toMatchObject({ asOf: null, fetched: null, totals: noTotals, completion: null, features: [] })
  })

  it('add up: features and the rest, and every grouping, come to the totals', () => {
    fc.assert(
      fc.property(anyLinks, (items) => {
        const { totals, features, outside, byState, byType, byIteration, byAssignee } = figuresOf(items)
        const sum = (parts: readonly Totals[]) => parts.reduce(plus, noTotals)
        expect(sum([...features, outside])).toEqual(totals)
        for (const groups of [byState, byType, byIteration, byAssignee]) {
          expect(sum(groups.map((group) => group.totals))).toEqual(totals)
        }
      }),
    )
  })
})
