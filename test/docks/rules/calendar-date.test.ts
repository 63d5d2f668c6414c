import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addClosure,
  describeClosure,
  findClosedUntil,
  formatDateWithWeekday,
  getWeekday,
  removeDates,
  UNTIL_FURTHER_NOTICE,
} from '../../../src/docks/rules/calendar-date'
import { formatDate, parseDate, parseTimeOfDay } from '../../../src/kernel/time'

describe('a date', () => {
  it('is a number of days across years and centuries', () => {
    expect(parseDate('1970-01-01')).toBe(0)
    expect(parseDate('2028-03-01') - parseDate('2028-02-28')).toBe(2)
    fc.assert(
      fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (day) => {
        expect(parseDate(formatDate(day))).toBe(day)
        expect(getWeekday(day + 7)).toBe(getWeekday(day))
      }),
    )
  })

  it('is formatted with its weekday', () => {
    expect(formatDateWithWeekday(parseDate('2026-11-22'))).toBe('2026-11-22 (Sunday)')
    expect(formatDateWithWeekday(parseDate('1969-12-31'))).toBe('1969-12-31 (Wednesday)')
  })
})

describe('a closed date', () => {
  const describe2027 = (closure: { to?: string; reason?: string }) =>
    describeClosure([{ from: '2027-01-01', to: '2027-01-02', reason: null, ...closure }], parseDate('2027-01-02'))

  it('is described by the reason of its closure', () => {
    expect(describe2027({ reason: 'Thanksgiving' })).toBe('closed for Thanksgiving')
    expect(describe2027({ to: UNTIL_FURTHER_NOTICE })).toBe('closed until reopened')
    expect(describe2027({})).toBe('closed on this date')
  })
})

describe('a time of day', () => {
  it('is parsed to minutes since midnight', () => {
    expect([parseTimeOfDay('00:00'), parseTimeOfDay('06:30'), parseTimeOfDay('23:59')]).toEqual([0, 390, 1439])
  })
})

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
