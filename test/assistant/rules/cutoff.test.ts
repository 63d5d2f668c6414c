import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainCutoff } from '../../../src/assistant/rules/answers/cutoff'

const prompt = { min: 100, max: 200 }
const facts = { reason: 'length', promptTokens: 150, responseTokens: 500, contextTokens: 8192, prompt } as const
const isContextFull = (changes: object) => explainCutoff({ ...facts, ...changes })!.isContextFull

describe('an answer that was cut off', () => {
  it('is one that ended at a limit', () => {
    expect(explainCutoff({ ...facts, reason: 'complete' })).toBeNull()
    expect(explainCutoff({ ...facts, reason: 'filtered' })).toBeNull()
    expect(explainCutoff({ ...facts, reason: 'context' })).toMatchObject({ isContextFull: true })
  })

  it('filled the context if prompt and answer have as many tokens', () => {
    expect(isContextFull({ responseTokens: 8192 - 150 })).toBe(true)
    expect(isContextFull({ responseTokens: 8192 - 150 - 1 })).toBe(true)
    expect(isContextFull({ responseTokens: 7000 })).toBe(false)
  })

  it('may have had cached prompt tokens that the server does not count', () => {
    expect(isContextFull({ promptTokens: 3, responseTokens: 8192 - 100 })).toBe(true)
    const { message } = explainCutoff({ ...facts, promptTokens: 3, responseTokens: 8192 - 190, contextTokens: 8192 })!
    expect(message).toContain('or the end of')
  })

  it('says both if the server does not report enough', () => {
    for (const changes of [{ responseTokens: null }, { contextTokens: null }])
      expect(explainCutoff({ ...facts, ...changes })!.message).toContain('or the end of')
  })

  it('always says what to do', () => {
    const count = fc.option(fc.nat(10_000))
    fc.assert(
      fc.property(
        count,
        count,
        fc.option(fc.integer({ min: 1, max: 10_000 })),
        (promptTokens, responseTokens, contextTokens) => {
          const cutoff = explainCutoff({ ...facts, promptTokens, responseTokens, contextTokens })!
          expect(cutoff.message).toMatch(/^The answer is incomplete: .*\.$/)
          expect(cutoff.advice).toMatch(/^.*(shorter|Shorten).*\.$/)
        },
      ),
    )
  })
})
