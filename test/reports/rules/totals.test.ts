import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildForest } from '../../../src/reports/rules/item-forest'
import type { ReportItem } from '../../../src/reports/rules/report-item'
import { computeCompletion, computeOwnTotals, NO_TOTALS, sumItemTotals } from '../../../src/reports/rules/totals'
import type { Totals } from '../../../src/reports/schemas'
import { anyTrees } from '../random-workspace'
import { item } from '../sample-workspace'

function totalsOf(...items: ReportItem[]): Totals {
  return sumItemTotals(items, computeOwnTotals(buildForest(items)))
}

const feature = (id: number, overrides: Partial<ReportItem> = {}) => item(id, { level: 2, ...overrides })
const story = (id: number, parentId: number, overrides: Partial<ReportItem> = {}) =>
  item(id, { level: 1, parentId, ...overrides })
const task = (id: number, parentId: number, overrides: Partial<ReportItem> = {}) =>
  item(id, { level: 0, parentId, ...overrides })
const bug = (id: number, parentId: number, overrides: Partial<ReportItem> = {}) =>
  item(id, { type: 'Bug', level: 1, parentId, ...overrides })
const done = { stateCategory: 'Completed' } as const

describe('points', () => {
  it('counts the estimate of a feature until a story in it is estimated', () => {
    expect(totalsOf(feature(1, { storyPoints: 40 }), story(2, 1), story(3, 1)).points).toBe(40)
    expect(totalsOf(feature(1, { storyPoints: 40 }), story(2, 1), story(3, 1, { storyPoints: 5 })).points).toBe(5)
  })

  it('takes zero as an estimate, and a negative or absurd number as none', () => {
    expect(totalsOf(feature(1, { storyPoints: 40 }), story(2, 1, { storyPoints: 0 })).points).toBe(0)
    expect(totalsOf(feature(1, { storyPoints: 40 }), story(2, 1, { storyPoints: -3 })).points).toBe(40)
    expect(totalsOf(feature(1, { storyPoints: 40 }), story(2, 1, { storyPoints: 1e300 })).points).toBe(40)
  })

  it('counts the estimate of a story regardless of its descendants', () => {
    const withTask = [story(1, 9, { storyPoints: 8 }), task(2, 1, { storyPoints: 1 })]
    const withBugOffTheBacklog = [story(1, 9, { storyPoints: 8 }), bug(2, 1, { level: null, storyPoints: 2 })]
    const withBugAsTask = [story(1, 9, { storyPoints: 8, ...done }), bug(2, 1, { level: 0, storyPoints: 2 })]
    expect(totalsOf(...withTask).points).toBe(8)
    expect(totalsOf(...withBugOffTheBacklog).points).toBe(8)
    expect(totalsOf(...withBugAsTask)).toMatchObject({ points: 8, donePoints: 8 })
  })

  it('counts a bug in addition to its story if the process plans bugs on the backlog', () => {
    const open = [story(1, 9, { storyPoints: 8 }), bug(2, 1, { storyPoints: 2 })]
    const closed = [story(1, 9, { storyPoints: 8, ...done }), bug(2, 1, { storyPoints: 2 })]
    expect(totalsOf(...open)).toMatchObject({ points: 10, donePoints: 0 })
    expect(totalsOf(...closed)).toMatchObject({ points: 10, donePoints: 8 })
  })

  it('adds nothing for tasks, even if their story has no estimate', () => {
    const totals = totalsOf(
      feature(1),
      story(2, 1, { storyPoints: 5 }),
      story(4, 1),
      task(5, 4, { storyPoints: 2, ...done }),
    )
    expect(totals).toMatchObject({ points: 5, donePoints: 0, unestimated: 1 })
  })

  it('still counts the estimate of a feature if only a task or a bug at task level below it is estimated', () => {
    const planned = feature(1, { storyPoints: 40 })
    expect(totalsOf(planned, story(2, 1), task(3, 2, { storyPoints: 5 })).points).toBe(40)
    expect(totalsOf(planned, bug(2, 1, { level: 0, storyPoints: 2 })).points).toBe(40)
  })

  it('counts items of a type whose level is not known, unless a backlog item is above them', () => {
    const unknown = { type: 'Customer Story', level: null }
    expect(totalsOf(feature(1), item(2, { ...unknown, parentId: 1, storyPoints: 3 })).points).toBe(3)
    expect(
      totalsOf(feature(1), story(2, 1, { storyPoints: 5 }), item(3, { ...unknown, parentId: 2, storyPoints: 3 }))
        .points,
    ).toBe(5)
  })

  it('leaves out a removed item, but not its descendants', () => {
    const totals = totalsOf(
      feature(1, { storyPoints: 40 }),
      story(2, 1, { storyPoints: 13, stateCategory: 'Removed' }),
      task(3, 2),
    )
    expect(totals).toMatchObject({ points: 40, items: 2 })
  })

  it('adds tenths without floating-point errors', () => {
    const tenths = [story(1, 9, { storyPoints: 0.1 }), story(2, 9, { storyPoints: 0.2 })]
    expect(totalsOf(...tenths).points).toBe(0.3)
  })
})

describe('unestimated', () => {
  it('counts open backlog items that have no estimate of their own', () => {
    const totals = totalsOf(
      feature(1),
      story(2, 1),
      story(3, 1, { storyPoints: 0 }),
      story(4, 1, done),
      story(5, 1),
      task(6, 5, { storyPoints: 2 }),
      bug(7, 5, { storyPoints: 2 }),
      task(8, 1),
    )
    expect(totals.unestimated).toBe(2)
  })
})

describe('completion', () => {
  it('is the completed share of the points', () => {
    expect(computeCompletion({ ...NO_TOTALS, points: 8, donePoints: 2, items: 2, doneItems: 2 })).toBe(0.25)
  })
  it('is the completed share of the items if there are no points', () => {
    expect(computeCompletion({ ...NO_TOTALS, items: 4, doneItems: 1 })).toBe(0.25)
  })
  it('is null for an empty workspace', () => {
    expect(computeCompletion(NO_TOTALS)).toBeNull()
  })
})

/** A slow reference implementation. */
function totalsByHand(items: readonly ReportItem[]): Totals {
  const present = items.filter((one) => one.stateCategory !== 'Removed')
  const isDone = (one: ReportItem) => one.stateCategory === 'Completed'
  const isEstimated = (one: ReportItem) => present.includes(one) && one.storyPoints !== null && one.storyPoints >= 0
  const above = (one: ReportItem): ReportItem[] => {
    const parent = items.find((other) => other.id === one.parentId)
    return parent ? [parent, ...above(parent)] : []
  }
  const below = (one: ReportItem) => items.filter((other) => above(other).includes(one))
  const counts = (one: ReportItem): boolean => {
    if (!isEstimated(one) || one.level === 0) return false
    if (one.level === 1) return true
    if (one.level === null && above(one).some((other) => other.level === 1)) return false
    return !below(one).some(counts)
  }
  const sum = (some: readonly ReportItem[]) => some.reduce((total, one) => total + one.storyPoints!, 0)
  return {
    points: sum(items.filter(counts)),
    donePoints: sum(items.filter((one) => counts(one) && isDone(one))),
    items: present.length,
    doneItems: present.filter(isDone).length,
    unestimated: present.filter((one) => one.level === 1 && !isDone(one) && !isEstimated(one)).length,
    blockers: present.reduce((total, one) => total + one.blocked.length, 0),
  }
}

describe('the totals of random trees', () => {
  it('are correct', () => {
    fc.assert(
      fc.property(anyTrees, (items) => {
        const byHand = totalsByHand(items)
        expect(totalsOf(...items)).toEqual({
          ...byHand,
          points: expect.closeTo(byHand.points, 9),
          donePoints: expect.closeTo(byHand.donePoints, 9),
        })
      }),
      { numRuns: 500 },
    )
  })

  it('do not show more progress when an open bug is filed below a story', () => {
    fc.assert(
      fc.property(anyTrees, fc.constantFrom(null, 0, 1), fc.nat(13), (trees, level, storyPoints) => {
        // The estimate of a feature gives way to the first one below it, so features have none here.
        const items = trees.map((one) => (one.level === 1 ? one : { ...one, storyPoints: null }))
        const host = items.find((one) => one.level === 1)
        fc.pre(host !== undefined && totalsOf(...items).points > 0)
        const after = totalsOf(...items, bug(1000, host!.id, { level, storyPoints }))
        expect(computeCompletion(after)).toBeLessThanOrEqual(computeCompletion(totalsOf(...items))!)
      }),
    )
  })
})
