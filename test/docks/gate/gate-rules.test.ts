import { describe, expect, it } from 'vitest'
import { storeReferences } from '../../../src/docks/booking/rules/references'
import { findExpectedTruck, spanOfToday } from '../../../src/docks/gate/rules/expected-truck'
import { judgeVisit } from '../../../src/docks/gate/rules/visit-state'

const timeZone = 'America/Chicago'
const at = (instant: string) => Date.parse(instant)
/** 08:00 in Chicago. */
const now = at('2026-11-16T14:00:00Z')

function truck(changes: object = {}) {
  return {
    referenceNumber: 'PO-100',
    references: null as string | null,
    equipmentId: null as string | null,
    status: 'scheduled' as const,
    step: null,
    startAt: now,
    ...changes,
  }
}
const find = (typed: string, ...trucks: ReturnType<typeof truck>[]) =>
  findExpectedTruck(trucks, { typed, now, timeZone })

describe('the truck that a driver names', () => {
  it('is found by each reference and by its trailer, without regard to case, spaces and dashes', () => {
    const references = storeReferences([
      { number: 'PO-100', pallets: 1, pieces: null },
      { number: 'B/7', pallets: 2, pieces: null },
    ])
    const one = truck({ references, equipmentId: 'ILX 4411' })
    for (const typed of ['PO-100', ' po 100 ', 'b7', 'ilx-4411', 'ＩＬＸ４４１１']) expect(find(typed, one)).toBe(one)
    for (const typed of ['', ' - ', 'PO-10', 'PO-1000', '4411']) expect(find(typed, one)).toBeNull()
  })

  it('is that of the reference, not an earlier one whose trailer is written like it', () => {
    const own = truck({ referenceNumber: 'PO-100', startAt: now + 3_600_000 })
    const other = truck({ referenceNumber: 'PO-7', equipmentId: 'PO-100' })
    expect(find('PO-100', other, own)).toBe(own)
    expect(find('po100', other, own)).toBe(own)
  })

  it('is never one without a number, if the driver types none', () => {
    expect(find('--', truck({ referenceNumber: '///' }))).toBeNull()
  })

  it('is expected today, or within six hours on either side of midnight', () => {
    for (const [instant, isFound] of [
      ['2026-11-16T06:00:00Z', true], // 00:00
      ['2026-11-17T05:59:00Z', true], // 23:59
      ['2026-11-16T05:59:00Z', false], // 23:59 the day before
      ['2026-11-17T06:00:00Z', false],
    ] as const)
      expect([instant, find('PO-100', truck({ startAt: at(instant) })) !== null]).toEqual([instant, isFound])
    const night = { typed: 'PO-100', now: at('2026-11-17T05:00:00Z'), timeZone }
    expect(findExpectedTruck([truck({ startAt: at('2026-11-17T10:00:00Z') })], night)).not.toBeNull()
    expect(findExpectedTruck([truck({ startAt: at('2026-11-17T11:01:00Z') })], night)).toBeNull()
  })

  it('is within the span that is read, on a day of 25 hours too', () => {
    const { from, to } = spanOfToday(at('2026-11-01T05:00:00Z'))
    expect(from).toBeLessThanOrEqual(at('2026-11-01T05:00:00Z'))
    expect(to).toBeGreaterThanOrEqual(at('2026-11-02T06:00:00Z'))
  })

  it('is not one that has left or was cancelled', () => {
    for (const status of ['completed', 'cancelled']) expect(find('PO-100', truck({ status }))).toBeNull()
  })

  it('is not one that the staff turned away, but one that comes after it was recorded as a no-show', () => {
    expect(find('PO-100', truck({ step: 'turned_away' }))).toBeNull()
    expect(find('PO-100', truck({ step: 'no_show' }))).not.toBeNull()
  })

  it('is, of several, the one that is typed exactly, then the one that is here, then the first', () => {
    const [first, exact, here] = [
      truck({ referenceNumber: 'PO100', startAt: now - 60_000 }),
      truck({ startAt: now + 60_000 }),
      truck({ referenceNumber: 'PO 100', startAt: now + 120_000, step: 'checked_in' }),
    ]
    expect(find('PO-100', here, exact, first)).toBe(exact)
    expect(find('po100', here, exact, first)).toBe(here)
    expect(find('po100', exact, first)).toBe(first)
  })
})

describe('what the page of a driver says', () => {
  const state = (step: string | null, status = 'scheduled', waiting: string[] = []) =>
    judgeVisit({ id: 'b', doorName: 'Door 14', status: status as never, step: step as never }, waiting)

  it('is the place in the queue, then the door, then that the visit is over', () => {
    expect(state('checked_in', 'scheduled', ['a', 'b', 'c'])).toEqual({ kind: 'waiting', position: 2 })
    expect(state('at_door')).toEqual({ kind: 'to-door', door: 'Door 14' })
    expect(state('loading')).toEqual({ kind: 'loading', door: 'Door 14' })
    expect(state('completed', 'completed')).toEqual({ kind: 'completed' })
    expect(state('departed', 'completed')).toEqual({ kind: 'left' })
    expect(state('turned_away')).toEqual({ kind: 'left' })
    expect(state('turned_away', 'cancelled')).toEqual({ kind: 'left' })
  })

  it('sends the driver to the gate where the check-in was undone or the appointment cancelled', () => {
    for (const one of [state(null), state('no_show'), state('checked_in', 'cancelled')])
      expect(one).toEqual({ kind: 'ask-gate' })
  })

  it('counts a truck that is not in the queue behind it', () => {
    expect(state('checked_in', 'scheduled', ['a', 'c'])).toEqual({ kind: 'waiting', position: 3 })
  })
})
