import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dateOfDay, dateWithWeekday, dayOfDate, minutesOfTime, weekdayOf } from '../../../src/docks/rules/calendar-date'

describe('a date', () => {
  it('counts days, over years and centuries', () => {
    expect(dayOfDate('1970-01-01')).toBe(0)
    expect(dayOfDate('2028-03-01') - dayOfDate('2028-02-28')).toBe(2)
    fc.assert(
      fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (day) => {
        expect(dayOfDate(dateOfDay(day))).toBe(day)
        expect(weekdayOf(day + 7)).toBe(weekdayOf(day))
      }),
    )
  })

  it('is named with its weekday in full', () => {
    expect(dateWithWeekday(dayOfDate('2026-11-22'))).toBe('2026-11-22 (Sunday)')
    expect(dateWithWeekday(dayOfDate('1969-12-31'))).toBe('1969-12-31 (Wednesday)')
  })
})

describe('a time of day', () => {
  it('is minutes since midnight', () => {
    expect([minutesOfTime('00:00'), minutesOfTime('06:30'), minutesOfTime('23:59')]).toEqual([0, 390, 1439])
  })
})
