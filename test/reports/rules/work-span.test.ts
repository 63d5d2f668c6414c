import { describe, expect, it } from 'vitest'
import type { PastState } from '../../../src/items'
import { findWorkSpan, indexCategories } from '../../../src/reports/rules/work-span'
import { item } from '../sample-workspace'

const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}T10:00:00.000Z`
const past = (state: string, changed: number, overrides: Partial<PastState> = {}): PastState => ({
  state,
  changedAt: day(changed),
  stateSince: null,
  activatedAt: null,
  closedAt: null,
  createdAt: null,
  ...overrides,
})

const closed = item(1, { state: 'Closed', stateCategory: 'Completed' })
const categoryOf = indexCategories([
  closed,
  item(2, { state: 'Active', stateCategory: 'InProgress' }),
  item(3, { state: 'New', stateCategory: 'Proposed' }),
])
const spanOf = (...states: PastState[]) => findWorkSpan(closed, states, categoryOf)

describe('findWorkSpan', () => {
  it("uses the tracker's own dates", () => {
    expect(spanOf(past('Closed', 9, { activatedAt: day(3), closedAt: day(7) }))).toMatchObject({
      startedAt: day(3),
      completedAt: day(7),
    })
  })

  it('uses changes between consecutive snapshots if the tracker has no dates', () => {
    expect(
      spanOf(past('New', 1), past('Active', 3), past('Active', 5), past('Closed', 7), past('Closed', 9)),
    ).toMatchObject({
      startedAt: day(3),
      completedAt: day(7),
    })
  })

  it('runs from the first start to the last completion of a reopened item', () => {
    const states = [past('New', 1), past('Active', 2), past('Closed', 4), past('Active', 6), past('Closed', 8)]
    expect(spanOf(...states)).toMatchObject({ startedAt: day(2), completedAt: day(8) })
  })

  it('uses the date of the current state if there is no closing date', () => {
    expect(spanOf(past('Closed', 9, { stateSince: day(6) })).completedAt).toBe(day(6))
  })

  it('does not guess when the state of the first snapshot began', () => {
    expect(spanOf(past('Closed', 9))).toMatchObject({ startedAt: null, completedAt: null })
    expect(spanOf(past('Active', 3), past('Closed', 9)).startedAt).toBeNull()
    expect(spanOf()).toMatchObject({ startedAt: null, completedAt: null })
  })

  it('drops a start that is after the end', () => {
    expect(spanOf(past('Closed', 9, { activatedAt: day(8), closedAt: day(7) }))).toMatchObject({
      startedAt: null,
      completedAt: day(7),
    })
  })

  it('ignores a state whose category is unknown', () => {
    expect(spanOf(past('New', 1), past('Doing', 3), past('Closed', 7)).startedAt).toBeNull()
  })
})
