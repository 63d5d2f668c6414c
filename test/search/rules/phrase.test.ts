import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPhrase, selectSequentialTokens } from '../../../src/search/rules/phrase'
import { tokenize } from '../../../src/search/rules/tokenize'

const signs = fc.array(fc.constantFrom('的', '一', ' '), { maxLength: 40 }).map((list) => list.join(''))
const forms = fc.array(fc.constantFrom('的', '一'), { minLength: 2, maxLength: 6 })

describe('the positions of a sequence', () => {
  it('are all found, also if they overlap', () => {
    fc.assert(
      fc.property(signs, forms, (text, wanted) => {
        const tokens = tokenize(text)
        const line = selectSequentialTokens(tokens)
        const places = line.flatMap(({ start }, first) => {
          const part = line.slice(first, first + wanted.length)
          return part.map(({ form }) => form).join() === wanted.join() ? [[start, part.at(-1)!.end]] : []
        })
        expect(findPhrase(tokens, { forms: wanted, quoted: true })).toEqual(places)
      }),
    )
  })

  it('include other forms of the same stems, unless the sequence is quoted', () => {
    const tokens = tokenize('Two dock doors and a dock door')
    expect(findPhrase(tokens, { forms: ['dock', 'door'], quoted: true })).toEqual([[21, 30]])
    expect(findPhrase(tokens, { forms: ['docks', 'door'], quoted: false })).toEqual([
      [4, 14],
      [21, 30],
    ])
  })

  it('of one word include joined forms', () => {
    expect(findPhrase(tokenize('the dockDoor'), { forms: ['dockdoor'], quoted: true })).toEqual([[4, 12]])
  })
})
