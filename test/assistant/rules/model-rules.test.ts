import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ANSWER_TOKENS,
  CONTEXT_STEPS,
  chooseContext,
  estimateTokens,
  isPromptTruncated,
} from '../../../src/assistant/rules/choose-model'

describe('the requested context', () => {
  it('is estimated from the bytes of UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (content) => {
        const { min: atLeast, max: atMost } = estimateTokens([{ content }])
        const bytes = Buffer.byteLength(content)
        expect(atLeast).toBe(Math.floor(bytes / 5))
        expect(atMost).toBe(Math.ceil(bytes / 3) + 8)
      }),
    )
  })

  it('holds the prompt and the answer if possible, and never exceeds the context of the model', () => {
    fc.assert(
      fc.property(fc.nat(200_000), fc.option(fc.integer({ min: 512, max: 300_000 })), (bytes, most) => {
        const prompt = estimateTokens([{ content: 'x'.repeat(bytes) }])
        const chosen = chooseContext(prompt, most)
        const limit = Math.min(most ?? Number.POSITIVE_INFINITY, CONTEXT_STEPS.at(-1)!)
        expect(chosen === null).toBe(prompt.min >= limit)
        if (chosen === null) return
        expect(chosen).toBeLessThanOrEqual(limit)
        if (prompt.max + ANSWER_TOKENS <= limit) expect(chosen).toBeGreaterThanOrEqual(prompt.max + ANSWER_TOKENS)
      }),
    )
  })

  it('is never reported as too short for a prompt that certainly fits', () => {
    const prompt = estimateTokens([{ content: 'x'.repeat(3000) }])
    expect(isPromptTruncated(prompt, { promptTokens: 1, contextTokens: 8192 })).toBe(false)
    expect(isPromptTruncated(prompt, { promptTokens: 1008, contextTokens: 1008 })).toBe(false)
    expect(isPromptTruncated(prompt, { promptTokens: 900, contextTokens: 900 })).toBe(true)
    expect(isPromptTruncated(prompt, { promptTokens: 300, contextTokens: 900 })).toBe(true)
    expect(isPromptTruncated(prompt, { promptTokens: null, contextTokens: 900 })).toBe(false)
  })
})
