import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReportItem } from '../../../src/reports/rules/item'
import { lineageOf } from '../../../src/reports/rules/lineage'
import { completionOf, noTotals, shareOfEach, sumOver, type Totals } from '../../../src/reports/rules/totals'
import { anyTrees } from '../random-workspace'
import { item } from '../sample-workspace'

function totalsOf(...items: ReportItem[]): Totals {
  return sumOver(items, shareOfEach(lineageOf(items)))
}

const feature = (id: number, said: Partial<ReportItem> = {}) => item(id, { level: 2, ...said })
const story = (id: number, parentId: number, said: Partial<ReportItem> = {}) =>
  item(id, { level: 1, parentId, ...said })
const task = (id: number, parentId: number, said: Partial<ReportItem> = {}) => item(id, { level: 0, parentId, ...said })
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

  it('does not let a task, or a bug at task level, replace the estimate of its story', () => {
    expect(totalsOf(story(1, 9, { storyPoints: 8 }), task(2, 1, { storyPoints: 1 })).points).toBe(8)
  })

  it('counts the tasks of a story that has no estimate', () => {
    const totals = totalsOf(
      feature(1),
      story(2, 1, { storyPoints: 5 }),
      task(3, 2, { storyPoints: 1 }),
      story(4, 1),
      task(5, 4, { storyPoints: 2, ...done }),
      task(6, 4, { storyPoints: 1 }),
    )
    expect(totals).toMatchObject({ points: 8, donePoints: 2 })
  })

  it('counts the tasks for nothing where the feature itself is all that is estimated', () => {
    expect(totalsOf(feature(1, { storyPoints: 40 }), story(2, 1), task(3, 2, { storyPoints: 5 })).points).toBe(40)
  })

  it('counts the parts of a story that was split', () => {
    const split = [story(1, 9, { storyPoints: 8 }), story(2, 1, { storyPoints: 3 }), story(3, 1, { storyPoints: 3 })]
    expect(totalsOf(...split).points).toBe(6)
  })

  it('leaves out what was removed, but not what stands below it', () => {
    const totals = totalsOf(
      feature(1, { storyPoints: 40 }),
      story(2, 1, { storyPoints: 13, stateCategory: 'Removed' }),
      task(3, 2),
    )
    expect(totals).toMatchObject({ points: 40, items: 2 })
  })

  it('adds tenths as a person would', () => {
    const tenths = [story(1, 9, { storyPoints: 0.1 }), story(2, 9, { storyPoints: 0.2 })]
    expect(totalsOf(...tenths).points).toBe(0.3)
  })
})

describe('unestimated', () => {
  it('counts open items at requirement level that have no estimate, nor anything below them', () => {
    const totals = totalsOf(
      feature(1),
      story(2, 1),
      story(3, 1, { storyPoints: 0 }),
      story(4, 1, done),
      story(5, 1),
      task(6, 5, { storyPoints: 2 }),
      task(7, 1),
    )
    expect(totals.unestimated).toBe(1)
  })
})

describe('completion', () => {
  it('is the done share of the points', () => {
    expect(completionOf({ ...noTotals, points: 8, donePoints: 2, items: 2, doneItems: 2 })).toBe(0.25)
  })
  it('is the done share of the items where there are no points', () => {
    expect(completionOf({ ...noTotals, items: 4, doneItems: 1 })).toBe(0.25)
  })
  it('is null where there is nothing', () => {
    expect(completionOf(noTotals)).toBeNull()
  })
})

/** The same totals, told in another way: from the roots down, by recursion, without a thought for speed. */
function bruteTotals(items: readonly ReportItem[]): Totals {
  const present = items.filter((one) => one.stateCategory !== 'Removed')
  const isOpen = (one: ReportItem) => one.stateCategory !== 'Completed'
  const childrenOf = (one: ReportItem) => items.filter((other) => other.parentId === one.id)
  const isRoot = (one: ReportItem) => !items.some((other) => other.id === one.parentId)
  const worth = (one: ReportItem): { points: number; done: number; weight: number } => {
    const parts = childrenOf(one).map(worth)
    const weightOfParts = Math.max(0, ...parts.map((part) => part.weight))
    const hasOwn = one.stateCategory !== 'Removed' && one.storyPoints !== null && one.storyPoints >= 0
    const ownWeight = hasOwn ? (one.level === 0 ? 1 : 2) : 0
    if (ownWeight > weightOfParts) {
      const points = one.storyPoints!
      return { points, done: isOpen(one) ? 0 : points, weight: ownWeight }
    }
    const sum = (of: 'points' | 'done') => parts.reduce((total, part) => total + part[of], 0)
    return { points: sum('points'), done: sum('done'), weight: weightOfParts }
  }
  const roots = items.filter(isRoot).map(worth)
  return {
    points: roots.reduce((total, root) => total + root.points, 0),
    donePoints: roots.reduce((total, root) => total + root.done, 0),
    items: present.length,
    doneItems: present.filter((one) => !isOpen(one)).length,
    unestimated: present.filter((one) => one.level === 1 && isOpen(one) && worth(one).weight === 0).length,
    blockers: present.reduce((total, one) => total + one.blocked.length, 0),
  }
}

describe('the totals of random trees', () => {
  it('are what counting by hand gives', () => {
    fc.assert(
      fc.property(anyTrees, (items) => {
        const byHand = bruteTotals(items)
        expect(totalsOf(...items)).toEqual({
          ...byHand,
          points: expect.closeTo(byHand.points, 9),
          donePoints: expect.closeTo(byHand.donePoints, 9),
        })
      }),
      { numRuns: 500 },
    )
  })
})
