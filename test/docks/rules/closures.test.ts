import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addClosure,
  findClosedUntil,
  formatDate,
  parseDate,
  removeDates,
  UNTIL_FURTHER_NOTICE,
} from '../../../src/docks/rules/calendar-date'

const FIRST = parseDate('2026-12-20')
const DATES = Array.from({ length: 40 }, (_, index) => formatDate(FIRST + index))
const dates = fc
  .tuple(fc.nat(29), fc.nat(9))
  .map(([shift, length]) => ({ from: DATES[shift]!, to: DATES[shift + length]! }))
const closure = dates.map((range) => ({ ...range, reason: null }))
const closures = fc.array(closure, { maxLength: 5 })

const closedDates = (list: readonly { from: string; to: string }[]) =>
  DATES.filter((date) => list.some(({ from, to }) => from <= date && date <= to))

describe('closures', () => {
  it('include the dates of an added closure and no others', () => {
    fc.assert(
      fc.property(closures, closure, (list, added) => {
        expect(closedDates(addClosure(list, added))).toEqual(closedDates([...list, added]))
      }),
    )
  })

  it('exclude the removed dates and no others', () => {
    fc.assert(
      fc.property(closures, dates, (list, open) => {
        const left = removeDates(list, open)
        expect(closedDates(left)).toEqual(closedDates(list).filter((date) => date < open.from || open.to < date))
        for (const { from, to } of left) expect(from <= to).toBe(true)
      }),
    )
  })

  it('last until the next open date', () => {
    fc.assert(
      fc.property(closures, fc.nat(29), (list, shift) => {
        const closed = new Set(closedDates(list))
        const open = DATES.findIndex((date, index) => index >= shift && !closed.has(date))
        expect(findClosedUntil(list, FIRST + shift)).toBe(open === shift ? null : DATES[open - 1])
      }),
    )
  })

  it('can be without an end', () => {
    const list = addClosure([], { from: '2026-12-20', to: UNTIL_FURTHER_NOTICE, reason: null })
    expect(findClosedUntil(list, FIRST)).toBe(UNTIL_FURTHER_NOTICE)
    expect(removeDates(list, { from: '2026-12-25', to: UNTIL_FURTHER_NOTICE })).toEqual([
      { from: '2026-12-20', to: '2026-12-24', reason: null },
    ])
    expect(removeDates(list, { from: '2026-12-20', to: '2026-12-20' })).toEqual([
      { from: '2026-12-21', to: UNTIL_FURTHER_NOTICE, reason: null },
    ])
  })
})
