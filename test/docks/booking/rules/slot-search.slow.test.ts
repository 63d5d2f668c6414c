import { describe, expect, it } from 'vitest'
import { clockChangeDates, itMatchesBruteForce } from './slot-search-property'

describe('the slot search on every kind of date', () => {
  const seen = itMatchesBruteForce(clockChangeDates, 30)

  it('covered every kind of result', () => {
    const kinds = [
      'slot',
      'closed',
      'closure',
      'blocked',
      'full',
      'too_long_for_window',
      'outside_window',
      'lead_time',
      'requirements',
      'limit',
      'no door',
      'placed',
      'not placed',
    ]
    expect([...seen].sort()).toEqual(kinds.sort())
  })
})
