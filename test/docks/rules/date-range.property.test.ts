import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getSpanOfDates, isStartWithin } from '../../../src/docks/rules/date-range'
import { parseDate } from '../../../src/kernel/time'
import { wallClockAround } from '../booking/rules/wall-clock-table'

describe('the span of a date range', () => {
  it.each([
    ['America/Chicago', '2026-03-08'],
    ['America/Chicago', '2026-11-01'],
    ['Africa/Cairo', '2026-04-24'],
    ['America/Sao_Paulo', '2018-02-17'],
    ['America/St_Johns', '2010-11-06'],
    ['Pacific/Apia', '2011-12-29'],
  ])('contains every minute of the dates: %s, %s', (timeZone, date) => {
    const { minutes } = wallClockAround(timeZone, date)
    fc.assert(
      fc.property(fc.integer({ min: -1, max: 3 }), fc.integer({ min: 0, max: 2 }), (shift, more) => {
        const range = { first: parseDate(date) + shift, last: parseDate(date) + shift + more }
        const span = getSpanOfDates(timeZone, range)
        for (const { at, date: shown } of minutes) {
          const within = range.first <= parseDate(shown) && parseDate(shown) <= range.last
          if (within && (at < span.from || span.to <= at)) expect.fail(`${new Date(at).toISOString()} is left out`)
          if (isStartWithin(timeZone, range, at) !== within) expect.fail(`${new Date(at).toISOString()} is misjudged`)
        }
      }),
      { numRuns: 8 },
    )
  })
})
