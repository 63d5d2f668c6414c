import { describe, expect, it } from 'vitest'
import { parsePairs } from '../../../src/kernel/text/pairs'

describe('name=value texts', () => {
  it('become values by their names, without the spaces around both; an empty value is null', () => {
    expect(parsePairs([' temperature = -18', 'seal=A=7 ', 'lane='])).toEqual({
      temperature: '-18',
      seal: 'A=7',
      lane: null,
    })
    expect(parsePairs([])).toEqual({})
  })

  it('are no values if one of them has no name', () => {
    for (const text of ['cold', '', ' =7', '=']) expect(parsePairs(['lane=dry', text])).toBeNull()
  })
})
