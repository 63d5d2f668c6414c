import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitizeLine } from '../../../src/sanitize'
import { context, fromHtml, fromMarkdown } from './context'
import { corpus } from './corpus'
import { password } from './fake-secrets'
import { calmHtml, htmlMixture, markdownMixture } from './mixtures'

/** Expects that no secret or person remains, and that another run changes nothing. */
function expectSettled({ markdown }: { markdown: string }): void {
  expect(fromMarkdown(markdown)).toEqual({ markdown, removed: [] })
  expect(markdown).not.toContain(password)
  expect(markdown).not.toMatch(/jane@contoso|170 1234567|\]\(<?javascript:/)
}

describe('sanitizing a text again changes nothing', () => {
  it('for arbitrary HTML', () => {
    fc.assert(
      fc.property(htmlMixture, (html) => expectSettled(fromHtml(html))),
      { numRuns: 150 },
    )
  })

  it('for arbitrary Markdown', () => {
    fc.assert(
      fc.property(markdownMixture, (markdown) => expectSettled(fromMarkdown(markdown))),
      { numRuns: 250 },
    )
  })

  it('for arbitrary plain text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(fromHtml, fromMarkdown), (text, read) =>
        expectSettled(read(text)),
      ),
      { numRuns: 150 },
    )
  })

  it('for combined fragments of the corpus', () => {
    const html = corpus.filter(({ format }) => format === 'html').map(({ input }) => input)
    const some = fc.array(fc.constantFrom(...html), { minLength: 2, maxLength: 5 })
    fc.assert(
      fc.property(some, (inputs) => expectSettled(fromHtml(inputs.join('')))),
      { numRuns: 30 },
    )
  })

  it('for HTML as editors write it', () => {
    fc.assert(
      fc.property(calmHtml, (html) => expectSettled(fromHtml(html))),
      { numRuns: 150 },
    )
  })
})

it('sanitizing a line again changes nothing, and the result is one line', () => {
  fc.assert(
    fc.property(fc.oneof(markdownMixture, fc.string({ unit: 'binary' })), (text) => {
      const once = sanitizeLine(text, context)
      expect(sanitizeLine(once.text, context)).toEqual({ text: once.text, removed: [] })
      expect(once.text).not.toMatch(/[\n\t\0]|^\s|\s$/)
    }),
    { numRuns: 300 },
  )
})
