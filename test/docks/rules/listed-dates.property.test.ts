import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayOfDate } from '../../../src/docks/rules/calendar-date'
import { spanOfDates, startsWithin } from '../../../src/docks/rules/listed-dates'
import { wallClockAround } from './wall-clock-table'

describe('the span of dates', () => {
  it.each([
    ['America/Chicago', '2026-03-08'],
    ['America/Chicago', '2026-11-01'],
    ['Africa/Cairo', '2026-04-24'],
    ['America/Sao_Paulo', '2018-02-17'],
    ['America/St_Johns', '2010-11-06'],
    ['Pacific/Apia', '2011-12-29'],
  ])('holds every minute that shows one of them: %s, %s', (timeZone, date) => {
    const { minutes } = wallClockAround(timeZone, date)
    fc.assert(
      fc.property(fc.integer({ min: -1, max: 3 }), fc.integer({ min: 0, max: 2 }), (shift, more) => {
        const range = { first: dayOfDate(date) + shift, last: dayOfDate(date) + shift + more }
        const span = spanOfDates(timeZone, range)
        for (const { at, date: shown } of minutes) {
          const within = range.first <= dayOfDate(shown) && dayOfDate(shown) <= range.last
          if (within && (at < span.from || span.to <= at)) expect.fail(`${new Date(at).toISOString()} is left out`)
          if (startsWithin(timeZone, range, at) !== within) expect.fail(`${new Date(at).toISOString()} is misjudged`)
        }
      }),
      { numRuns: 8 },
    )
  })
})
