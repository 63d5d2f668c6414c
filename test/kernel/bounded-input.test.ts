import fc from 'fast-check'
import { expect, it } from 'vitest'
import { requireBoundedJson } from '../../src/kernel/input/bounded-input'

const texts = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ':', 'a', '\n') })

it('counts no level and no field within a text, however it is escaped', () => {
  fc.assert(fc.property(texts, (text) => requireBoundedJson(JSON.stringify({ [text]: [text] }))))
  for (const text of ['[{:'.repeat(5_000), '\\'.repeat(5_000), '"['.repeat(5_000), '\\"['.repeat(5_000)])
    expect(() => requireBoundedJson(JSON.stringify([text]))).not.toThrow()
})

it('counts the levels after a text, however it is escaped', () => {
  const levels = (count: number) => '['.repeat(count) + ']'.repeat(count)
  fc.assert(
    fc.property(texts, (text) => {
      const before = `{"a":${JSON.stringify(text)},"b":`
      requireBoundedJson(`${before}${levels(63)}}`)
      expect(() => requireBoundedJson(`${before}${levels(64)}}`)).toThrow(/more than 64 levels/)
    }),
  )
})
