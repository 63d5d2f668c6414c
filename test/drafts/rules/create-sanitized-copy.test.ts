import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findRemovalExcerpt } from '../../../src/drafts/rules/create-sanitized-copy'
import { type RemovalKind, removalKinds } from '../../../src/sanitize'

it.each([
  ['email', 'Write to [email removed] today.', 'Write to [email removed] today.'],
  ['mention', 'a\n\n@someone said\nso', 'a @someone said so'],
  ['internal-link', 'see [link removed]', 'see [link removed]'],
  [
    'token',
    `${'before '.repeat(20)}[secret removed]${' after'.repeat(20)}`,
    '… before before before before before [secret removed] after after after after after …',
  ],
  ['script', 'text', null],
  ['email', 'no mark here', null],
] as [RemovalKind, string, string | null][])('%s in %j', (kind, text, excerpt) => {
  expect(findRemovalExcerpt(kind, text)).toBe(excerpt)
})

it('an excerpt is a short part of the result', () => {
  const kind = fc.constantFrom(...(Object.keys(removalKinds) as RemovalKind[]))
  const text = fc.array(
    fc.oneof(fc.string(), fc.constantFrom('[email removed]', '[secret removed]', '@someone', ' ', '\n')),
  )
  fc.assert(
    fc.property(kind, text, (of, parts) => {
      const clean = parts.join('')
      const excerpt = findRemovalExcerpt(of, clean)
      if (excerpt === null) return
      expect(clean.replace(/\s+/g, ' ')).toContain(excerpt.replace(/^… | …$/g, ''))
      expect(excerpt.length).toBeLessThan(150)
    }),
  )
})
