import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerTexts } from '../../../src/assistant/rules/answers/read-texts'

const read = (pieces: readonly string[]) => {
  const texts = new AnswerTexts()
  return pieces.map((piece) => texts.read(piece)).join('')
}

/** The strings that are values, in the order of the JSON. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : []
}

describe('the texts of an answer that is being written', () => {
  it('are its values without their names, each on its own line', () => {
    const answer = { criteria: [{ scenario: 'On "time"', given: ['a, {b}: c'], count: 2, outcome: ['x\ty', '☕'] }] }
    expect(read([JSON.stringify(answer, null, 2)])).toBe('On "time"\na, {b}: c\nx\ty\n☕')
  })

  it('begin where the JSON begins', () => {
    expect(read(['Sure, "here" it is:\n```json\n{"summary": "Sho', 'rt."}\n```\nIs it "good"?'])).toBe('Short.')
    expect(read(['I cannot "do" that.'])).toBe('')
  })

  it('contain no control characters, also not those that are escaped', () => {
    expect(read(['{"summary": "a\\u001b[2Jb\\u', '0007\\n\\x", "c": "d"}'])).toBe('a[2Jb\n\nd')
  })

  it('are the same however the answer is cut into pieces', () => {
    const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { minKeys: 1 })
    fc.assert(
      fc.property(object, fc.array(fc.nat(20)), (value, lengths) => {
        const json = JSON.stringify(value)
        const pieces = lengths.map((length, index) => {
          const start = lengths.slice(0, index).reduce((sum, each) => sum + each, 0)
          return json.slice(start, start + length)
        })
        const rest = json.slice(pieces.join('').length)
        expect(read([...pieces, rest])).toBe(read([json]))
        const texts = textsOf(JSON.parse(json))
        const isPlain = texts.every((text) => /^[\n\t\u0020-\u007e]+$/.test(text))
        if (isPlain) expect(read([json])).toBe(texts.join('\n'))
      }),
    )
  })
})
