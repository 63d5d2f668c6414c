import { describe, expect, it } from 'vitest'
import type { PastState } from '../../../../src/items'
import { categoriesSeen, workSpanOf } from '../../../../src/reports/rules/flow/work-span'
import { item } from '../../sample-workspace'

const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}T10:00:00.000Z`
const past = (state: string, changed: number, said: Partial<PastState> = {}): PastState => ({
  state,
  changedAt: day(changed),
  stateSince: null,
  activatedAt: null,
  closedAt: null,
  createdAt: null,
  ...said,
})

const closed = item(1, { state: 'Closed', stateCategory: 'Completed' })
const categoryOf = categoriesSeen([
  closed,
  item(2, { state: 'Active', stateCategory: 'InProgress' }),
  item(3, { state: 'New', stateCategory: 'Proposed' }),
])
const spanOf = (...states: PastState[]) => workSpanOf(closed, states, categoryOf)

describe('from the first work on an item to its completion', () => {
  it("is what the tracker's own dates say", () => {
    expect(spanOf(past('Closed', 9, { activatedAt: day(3), closedAt: day(7) }))).toMatchObject({
      startedAt: day(3),
      completedAt: day(7),
    })
  })

  it('is what two snapshots in turn show where it has none', () => {
    expect(
      spanOf(past('New', 1), past('Active', 3), past('Active', 5), past('Closed', 7), past('Closed', 9)),
    ).toMatchObject({
      startedAt: day(3),
      completedAt: day(7),
    })
  })

  it('begins with the first work and ends with the last completion of one that was opened again', () => {
    const states = [past('New', 1), past('Active', 2), past('Closed', 4), past('Active', 6), past('Closed', 8)]
    expect(spanOf(...states)).toMatchObject({ startedAt: day(2), completedAt: day(8) })
  })

  it('takes the moment since which it is in its state where there is no closing date', () => {
    expect(spanOf(past('Closed', 9, { stateSince: day(6) })).completedAt).toBe(day(6))
  })

  it('is not guessed: the first snapshot does not tell when a state began', () => {
    expect(spanOf(past('Closed', 9))).toMatchObject({ startedAt: null, completedAt: null })
    expect(spanOf(past('Active', 3), past('Closed', 9)).startedAt).toBeNull()
    expect(spanOf()).toMatchObject({ startedAt: null, completedAt: null })
  })

  it('has no start that lies behind its end', () => {
    expect(spanOf(past('Closed', 9, { activatedAt: day(8), closedAt: day(7) }))).toMatchObject({
      startedAt: null,
      completedAt: day(7),
    })
  })

  it('does not know a state that no item is in', () => {
    expect(spanOf(past('New', 1), past('Doing', 3), past('Closed', 7)).startedAt).toBeNull()
  })
})
