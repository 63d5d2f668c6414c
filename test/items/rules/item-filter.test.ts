import { describe, expect, it } from 'vitest'
import { containsWords } from '../../../src/items/rules/item-filter'

const item = {
  id: 204,
  title: 'Tell the driver the door',
  tags: ['gate'],
  description: { format: 'html' as const, text: '<div>Each <b>carrier</b> hears of it.</div>' },
  acceptanceCriteria: { format: 'markdown' as const, text: 'A **text message** is sent.' },
}

describe('containsWords', () => {
  it.each([
    ['DOOR gate', true],
    ['#204', true],
    ['carrier hears door', true],
    ['message', true],
    ['div', false],
    ['door window', false],
  ])('%j: %s', (search, passes) => {
    expect(containsWords(item, search)).toBe(passes)
  })
})
