import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSanitizedCopy, findRemovalExcerpt } from '../../../src/drafts/rules/create-sanitized-copy'
import { adfToMarkdown, wikiToMarkdown } from '../../../src/rich-text'
import { parseWiki } from '../../../src/rich-text/parse-wiki'
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

it.each([
  [
    'Jira Cloud',
    'https://x.example/browse/DOCK-1',
    'markdown',
    adfToMarkdown({
      content: [
        {
          type: 'paragraph',
          content: [
            { type: 'mention', attrs: { id: '557058:f58131cb-b67d', text: '@Amy Smith' } },
            { type: 'text', text: ' said so' },
          ],
        },
      ],
    }),
  ],
  [
    'Jira Data Center',
    'https://x.example/browse/DOCK-1',
    'markdown',
    wikiToMarkdown('[~amy.smith] said so', parseWiki),
  ],
  [
    'Jira by account',
    'https://x.example/browse/DOCK-1',
    'markdown',
    wikiToMarkdown('[~accountid:5b10] said so', parseWiki),
  ],
  ['GitHub', 'https://github.example/works/harbor/issues/2', 'markdown', '@octocat said so'],
  ['a chat', '', 'html', '<span itemtype="http://schema.skype.com/Mention" itemid="0">Amy Smith</span> said so'],
] as const)('a copy of an item names no person whom it mentions: %s', (_, url, format, text) => {
  const item = { id: 1, rev: 1, title: 'Door', acceptanceCriteria: null, storyPoints: null, assignedTo: null }
  const description = { format, text }
  const { draft, removed } = createSanitizedCopy(
    { ...item, description, areaPath: '', iterationPath: '', tags: [], url },
    { titleSuffix: '', fields: {} },
  )
  expect(draft.description).toBe('@someone said so')
  expect(removed).toEqual([{ kind: 'mention', field: 'description', count: 1 }])
})

it('a copy names the files of the item, without people and secrets in their names', () => {
  const item = { id: 1, rev: 1, title: 'Door', acceptanceCriteria: null, storyPoints: null, assignedTo: null }
  const files = ['shot.png', 'mail of ana@example.com.eml'].map((name) => ({ name, size: 1 }))
  const { draft, attachments } = createSanitizedCopy(
    { ...item, description: null, areaPath: '', iterationPath: '', tags: [], url: '', attachments: files },
    { titleSuffix: '', fields: {} },
  )
  expect(attachments[0]).toBe('shot.png')
  expect(attachments[1]).not.toContain('ana@example.com')
  expect(JSON.stringify(draft)).not.toContain('shot.png')
})

it('a copy has the texts of the chosen fields without people and secrets', () => {
  const item = { id: 1, rev: 1, title: 'Door', acceptanceCriteria: null, storyPoints: null, assignedTo: null }
  const fields = { Customer: 'Contoso, ana@example.com', Doors: 3 }
  const { draft, removed } = createSanitizedCopy(
    { ...item, description: null, areaPath: '', iterationPath: '', tags: [], url: '' },
    { titleSuffix: '', fields },
  )
  expect(draft.fields).toEqual({ Customer: 'Contoso, [email removed]', Doors: 3 })
  expect(removed).toEqual([{ kind: 'email', field: 'Customer', count: 1 }])
})
