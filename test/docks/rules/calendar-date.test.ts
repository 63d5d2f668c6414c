import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatDate,
  formatDateWithWeekday,
  getWeekday,
  parseDate,
  parseTimeOfDay,
} from '../../../src/docks/rules/calendar-date'

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

describe('a time of day', () => {
  it('is parsed to minutes since midnight', () => {
    expect([parseTimeOfDay('00:00'), parseTimeOfDay('06:30'), parseTimeOfDay('23:59')]).toEqual([0, 390, 1439])
  })
})
