import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExpiry } from '../../../src/access/rules/credential'

const NOW = Date.parse('2026-11-16T14:00:00Z')
const at = (instant: string) => ({ at: Date.parse(instant) })

describe('an expiry', () => {
  it.each([
    ['12h', at('2026-11-17T02:00:00Z')],
    ['30d', at('2026-12-16T14:00:00Z')],
    ['2w', at('2026-11-30T14:00:00Z')],
    ['2027-01-31T00:00:00Z', at('2027-01-31T00:00:00Z')],
    ['2027-01-31T00:00:00.5+02:00', at('2027-01-30T22:00:00.500Z')],
    ['2027-01-31T00:00Z', at('2027-01-31T00:00:00Z')],
    ['2028-02-29T00:00:00Z', at('2028-02-29T00:00:00Z')],
  ])('is parsed from %s', (text, expiry) => {
    expect(parseExpiry(text, NOW)).toEqual(expiry)
  })

  it.each([
    '',
    '0d',
    '-1d',
    '1.5d',
    '30',
    '30m',
    '2027-01-31',
    '2027-01-31T00:00:00',
    '2027-02-30T00:00:00Z',
    '2027-01-31T25:00:00Z',
    'tomorrow',
    '2026-11-16T14:00:00Z',
    '9999999d',
    '999999w',
  ])('is not parsed from %s', (text) => {
    expect(parseExpiry(text, NOW)).toHaveProperty('problem')
  })

  it('is always in the future and before the year 10000', () => {
    fc.assert(
      fc.property(fc.nat(999_999), fc.constantFrom('h', 'd', 'w'), fc.nat(4_000_000_000_000), (n, unit, now) => {
        const expiry = parseExpiry(`${n}${unit}`, now)
        if ('problem' in expiry) return
        expect(expiry.at).toBeGreaterThan(now)
        expect(new Date(expiry.at).toISOString()).toMatch(/^\d{4}-/)
      }),
    )
  })
})
