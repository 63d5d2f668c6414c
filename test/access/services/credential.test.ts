import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCredential, parseExpiry, parsePublicPrefix } from '../../../src/access/services/credential'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secret = fc.string({ unit: fc.constantFrom(...BASE62), minLength: 30, maxLength: 30 })

describe('a credential', () => {
  it('is its kind, 30 random characters and 6 characters of checksum', () => {
    fc.assert(
      fc.property(secret, (chance) => {
        const key = formatCredential('studio_key_', chance)
        expect(key).toMatch(/^studio_key_[0-9A-Za-z]{36}$/)
        expect(key.slice(11, 41)).toBe(chance)
        expect(parsePublicPrefix('studio_key_', key)).toBe(`studio_key_${chance.slice(0, 8)}`)
      }),
    )
  })

  it('has the CRC-32 of the random characters as its checksum', () => {
    // zlib gives 77e5db82 for thirty zeroes, which is 2C8GjS in base62.
    expect(formatCredential('studio_key_', '0'.repeat(30)).slice(-6)).toBe('2C8GjS')
  })

  it('is refused if any one character is changed', () => {
    fc.assert(
      fc.property(secret, fc.integer({ min: 0, max: 35 }), fc.constantFrom(...BASE62), (chance, place, other) => {
        const key = formatCredential('studio_key_', chance)
        const index = 'studio_key_'.length + place
        fc.pre(key[index] !== other)
        expect(parsePublicPrefix('studio_key_', key.slice(0, index) + other + key.slice(index + 1))).toBeNull()
      }),
    )
  })

  it.each(['', 'studio_key_', 'studio_key_short', `studio_key_${'0'.repeat(37)}`, `studio_key_${'-'.repeat(36)}`])(
    'is not %j',
    (text) => {
      expect(parsePublicPrefix('studio_key_', text)).toBeNull()
    },
  )

  it('of one kind is not a credential of another kind', () => {
    const token = formatCredential('studio_pat_', '0'.repeat(30))
    expect(parsePublicPrefix('studio_pat_', token)).not.toBeNull()
    expect(parsePublicPrefix('studio_key_', token)).toBeNull()
    expect(parsePublicPrefix('studio_pat_', ` ${token}`)).toBeNull()
    expect(parsePublicPrefix('studio_pat_', `${token}\n`)).toBeNull()
  })
})

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
