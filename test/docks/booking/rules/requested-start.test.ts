import { describe, expect, it } from 'vitest'
import { resolveStart, START_TIME } from '../../../../src/docks/booking/rules/requested-slot'

const resolve = (startTime: string, targetDate?: string) => {
  expect(startTime).toMatch(START_TIME)
  const { date, startAt } = resolveStart('America/Chicago', { startTime, targetDate })
  return `${date} ${new Date(startAt!).toISOString()}`
}

describe('a requested start', () => {
  it.each([
    ['06:30', '2027-03-01', '2027-03-01 2027-03-01T12:30:00.000Z'],
    ['2027-03-01T06:30', undefined, '2027-03-01 2027-03-01T12:30:00.000Z'],
    ['2027-03-01 06:30', '2027-03-01', '2027-03-01 2027-03-01T12:30:00.000Z'],
    ['2027-03-01T06:30Z', undefined, '2027-03-01 2027-03-01T06:30:00.000Z'],
    ['2027-03-02T00:30:00.000Z', undefined, '2027-03-01 2027-03-02T00:30:00.000Z'],
    ['2026-11-01T01:30-05:00', undefined, '2026-11-01 2026-11-01T06:30:00.000Z'],
    ['2026-11-01T01:30-06:00', undefined, '2026-11-01 2026-11-01T07:30:00.000Z'],
  ])('%s on %s is one instant', (startTime, targetDate, expected) => {
    expect(resolve(startTime, targetDate)).toBe(expected)
  })

  it.each([
    ['06:30', undefined, 'needs a date'],
    [
      '01:30',
      '2026-11-01',
      'occurs twice on 2026-11-01, because the clock is set back: specify 2026-11-01T01:30-05:00 or 2026-11-01T01:30-06:00',
    ],
    ['2026-03-08T02:30', undefined, 'is a time that the clock skips on 2026-03-08'],
    ['2026-02-30T06:30', undefined, 'must be on an existing date'],
    ['2026-13-01T06:30Z', undefined, 'must be on an existing date'],
    ['2027-03-02T00:30Z', '2027-03-02', 'is 2027-03-01 18:30 at the facility, which is not on 2027-03-02'],
  ])('%s on %s is refused', (startTime, targetDate, message) => {
    expect(() => resolve(startTime, targetDate)).toThrow(message)
  })

  it.each(['6:30', '24:00', '06:30Z', '2027-03-01', '2027-03-01T06:30:00', 'tomorrow', '2027-03-01T06:30+99:00'])(
    '%s has no accepted form',
    (text) => expect(text).not.toMatch(START_TIME),
  )
})
