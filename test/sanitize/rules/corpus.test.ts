import { describe, expect, it } from 'vitest'
import { sanitizeText } from '../../../src/sanitize'
import { context, counts, fromMarkdown } from './context'
import { corpus } from './corpus'

describe.each(corpus)('$name', ({ format, input, exactly, keeps = [], drops = [], removed }) => {
  const result = sanitizeText({ format, text: input }, context)

  it('becomes clean Markdown', () => {
    if (exactly !== undefined) expect(result.markdown).toBe(exactly)
    for (const kept of keeps) expect(result.markdown).toContain(kept)
    for (const dropped of drops) expect(result.markdown).not.toContain(dropped)
    if (removed) expect(counts(result.removed)).toEqual(removed)
  })

  it('does not change when it is sanitized again', () => {
    expect(fromMarkdown(result.markdown)).toEqual({ markdown: result.markdown, removed: [] })
  })
})
