import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findWindowEnd,
  findWindowStart,
  formatLocalDateTime,
  formatLocalTime,
  getLocalDay,
  listDayParts,
  listOffsetPeriods,
  toCanonicalTimeZone,
} from '../../../src/docks/rules/zoned-time'
import { parseDate } from '../../../src/kernel/time'

const utc = (instant: number) => new Date(instant).toISOString().slice(0, 16)
const at = (text: string) => Date.parse(`${text}Z`)

/** The local time by Intl, which reads the zone database independently of the code under test. */
function shownByIntl(timeZone: string, instant: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(instant)
}

describe('the local time of a zone', () => {
  it('equals that of Intl, in every zone, from 1985 to 2100', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
        fc.integer({ min: at('1985-01-01T00:00') / 60_000, max: at('2100-01-01T00:00') / 60_000 }),
        (timeZone, minute) => {
          const instant = minute * 60_000
          const shown = formatLocalDateTime(timeZone, instant)
          expect(shown.slice(0, 16)).toBe(shownByIntl(timeZone, instant))
          expect(getLocalDay(timeZone, instant)).toBe(parseDate(shown.slice(0, 10)))
        },
      ),
      { numRuns: 150 },
    )
  })

  it.each([
    ['America/Chicago', '2026-11-01T05:30', '2026-11-01 00:30'],
    ['America/Chicago', '2026-11-01T06:00', '2026-11-01 01:00 CDT'],
    ['America/Chicago', '2026-11-01T07:00', '2026-11-01 01:00 CST'],
    ['America/Chicago', '2026-11-01T07:59', '2026-11-01 01:59 CST'],
    ['America/Chicago', '2026-11-01T08:00', '2026-11-01 02:00'],
    ['Europe/Berlin', '2026-10-25T00:30', '2026-10-25 02:30 GMT+2'],
    ['Europe/Berlin', '2026-10-25T01:30', '2026-10-25 02:30 GMT+1'],
    ['America/Chicago', '2026-03-08T08:00', '2026-03-08 03:00'],
  ])('in %s distinguishes at %s the two equal times: %s', (timeZone, instant, shown) => {
    expect(formatLocalDateTime(timeZone, at(instant))).toBe(shown)
    expect(formatLocalTime(timeZone, at(instant))).toBe(shown.slice(11))
  })

  it('is never formatted the same for two instants of a zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
        fc.integer({ min: at('1985-01-01T00:00'), max: at('2050-01-01T00:00') }),
        (timeZone, instant) => {
          const [, next] = listOffsetPeriods(timeZone, instant, instant + 366 * 86_400_000)
          if (next === undefined) return
          const minutes = [-90, -60, -30, 0, 30, 60, 90].map((minute) => next.from + minute * 60_000)
          expect(new Set(minutes.map((minute) => formatLocalDateTime(timeZone, minute))).size).toBe(minutes.length)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('has periods without gaps, whatever is cached', () => {
    const instant = fc.integer({ min: at('2000-01-01T00:00'), max: at('2050-01-01T00:00') })
    fc.assert(
      fc.property(
        fc.constantFrom('America/Chicago', 'Africa/Casablanca', 'Asia/Gaza'),
        instant,
        instant,
        (zone, a, b) => {
          const [from, to] = [Math.min(a, b), Math.max(a, b)]
          const periods = listOffsetPeriods(zone, from, to)
          expect(periods[0]!.from).toBeLessThanOrEqual(from)
          expect(periods.at(-1)!.to).toBeGreaterThan(to)
          for (const [index, period] of periods.slice(1).entries()) {
            expect(period.from).toBe(periods[index]!.to)
            expect(period.offset).not.toBe(periods[index]!.offset)
          }
        },
      ),
    )
  })
})

describe('the edge of a window', () => {
  const day = (date: string) => parseDate(date)

  it('is the first instant after a time that the clock skips', () => {
    const spring = day('2026-03-08')
    for (const edge of [findWindowStart, findWindowEnd]) {
      expect(utc(edge('America/Chicago', spring, 2 * 60))).toBe('2026-03-08T08:00')
      expect(utc(edge('America/Chicago', spring, 2 * 60 + 59))).toBe('2026-03-08T08:00')
      expect(utc(edge('America/Chicago', spring, 3 * 60))).toBe('2026-03-08T08:00')
      expect(utc(edge('Africa/Cairo', day('2026-04-24'), 0))).toBe('2026-04-23T22:00')
      expect(utc(edge('Pacific/Apia', day('2011-12-30'), 9 * 60))).toBe('2011-12-30T10:00')
    }
  })

  it('is the earlier of two instants for the start and the later for the end', () => {
    const autumn = day('2026-11-01')
    expect(utc(findWindowStart('America/Chicago', autumn, 90))).toBe('2026-11-01T06:30')
    expect(utc(findWindowEnd('America/Chicago', autumn, 90))).toBe('2026-11-01T07:30')
    expect(utc(findWindowStart('America/Chicago', autumn, 60))).toBe('2026-11-01T06:00')
    expect(utc(findWindowEnd('America/Chicago', autumn, 60))).toBe('2026-11-01T07:00')
    expect(utc(findWindowEnd('America/Chicago', autumn, 120))).toBe('2026-11-01T08:00')
    const halfHour = day('2026-04-05')
    expect(utc(findWindowStart('Australia/Lord_Howe', halfHour, 105))).toBe('2026-04-04T14:45')
    expect(utc(findWindowEnd('Australia/Lord_Howe', halfHour, 105))).toBe('2026-04-04T15:15')
  })
})

describe('the parts of a date', () => {
  const hours = (timeZone: string, date: string) =>
    listDayParts(timeZone, parseDate(date)).map(({ from, to }) => (to - from) / 3_600_000)

  it.each([
    ['an ordinary one', 'Asia/Kathmandu', '2026-06-01', [24]],
    ['one that loses an hour', 'America/Chicago', '2026-03-08', [2, 21]],
    ['one that gains an hour', 'America/Chicago', '2026-11-01', [2, 23]],
    ['one that gains half an hour', 'Australia/Lord_Howe', '2026-04-05', [2, 22.5]],
    ['one without a midnight', 'Africa/Cairo', '2026-04-24', [23]],
    ['one with 23:00 twice', 'America/Sao_Paulo', '2018-02-17', [24, 1]],
    ['one that comes, goes and comes again', 'America/St_Johns', '2010-11-06', [24, 59 / 60]],
    ['one that the clock skips', 'Pacific/Apia', '2011-12-30', []],
  ])('of %s', (_, timeZone, date, expected) => {
    expect(hours(timeZone, date)).toEqual(expected)
  })
})

describe('the canonical name of a time zone', () => {
  it.each([
    ['america/chicago', 'America/Chicago'],
    ['UTC', 'UTC'],
    ['Chicago', null],
    ['+05:30', null],
    ['', null],
  ])('%s is %s', (name, canonical) => {
    expect(toCanonicalTimeZone(name)).toBe(canonical)
  })
})
