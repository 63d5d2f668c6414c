import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import { describe, expect, it } from 'vitest'
import { adfToMarkdown, markdownToAdf, parseMarkdown } from '../../src/rich-text'
import { editAdf } from '../../src/rich-text/edit/edit-atlassian'
import { documents } from './documents'

interface Node {
  type: string
  [name: string]: unknown
}

const text = (words: string, ...marks: (string | Node)[]): Node => ({
  type: 'text',
  text: words,
  ...(marks.length > 0 ? { marks: marks.map((mark) => (typeof mark === 'string' ? { type: mark } : mark)) } : {}),
})
const node = (type: string, attrs: Record<string, unknown>, ...content: Node[]): Node => ({
  type,
  ...(Object.keys(attrs).length > 0 ? { attrs } : {}),
  ...(content.length > 0 ? { content } : {}),
})
const paragraph = (...content: (Node | string)[]) =>
  node('paragraph', {}, ...content.map((one) => (typeof one === 'string' ? text(one) : one)))
const doc = (...content: Node[]) => ({ version: 1, type: 'doc', content })
const item = (...content: Node[]) => node('listItem', {}, ...content)
const cell = (words: string, type = 'tableCell') => node(type, {}, paragraph(words))
const row = (...cells: Node[]) => node('tableRow', {}, ...cells)

/** Every node and mark of the format's documentation. */
const NODES: [string, Node, string][] = [
  ['a paragraph', paragraph('The gate opens.'), 'The gate opens.'],
  ['a heading', node('heading', { level: 3 }, text('Gate')), '### Gate'],
  ['a bullet list', node('bulletList', {}, item(paragraph('one')), item(paragraph('two'))), '- one\n- two'],
  [
    'a list in a list',
    node('bulletList', {}, item(paragraph('one'), node('orderedList', { order: 3 }, item(paragraph('a'))))),
    '- one\n\n  3. a',
  ],
  ['code', node('codeBlock', { language: 'sql' }, text('select 1')), '```sql\nselect 1\n```'],
  ['a quotation', node('blockquote', {}, paragraph('Wait.')), '> Wait.'],
  ['a panel', node('panel', { panelType: 'warning' }, paragraph('Mind the gap.')), '> Mind the gap.'],
  ['a rule', node('rule', {}), '---'],
  [
    'a table',
    node('table', {}, row(cell('Door', 'tableHeader'), cell('Open', 'tableHeader')), row(cell('1'), cell('yes'))),
    '| Door | Open |\n| --- | --- |\n| 1 | yes |',
  ],
  [
    'tasks',
    node(
      'taskList',
      { localId: 'a' },
      node('taskItem', { localId: 'b', state: 'DONE' }, text('Call')),
      node('taskItem', { localId: 'c', state: 'TODO' }, text('Pay')),
    ),
    '- [x] Call\n- [ ] Pay',
  ],
  ['decisions', node('decisionList', {}, node('decisionItem', { state: 'DECIDED' }, text('Use steel'))), '- Use steel'],
  [
    'a section that can be folded',
    node('expand', { title: 'Details' }, paragraph('The lamp is red.')),
    '**Details**\n\nThe lamp is red.',
  ],
  [
    'a picture on the web',
    node('mediaSingle', { layout: 'center' }, node('media', { type: 'external', url: 'https://x.example/lamp.png' })),
    '![](https://x.example/lamp.png)',
  ],
  ['an attached file', node('mediaGroup', {}, node('media', { type: 'file', id: 'f', alt: 'lamp.png' })), '[lamp.png]'],
  ['a card', node('blockCard', { url: 'https://x.example/a' }), '<https://x.example/a>'],
  ['columns', node('layoutSection', {}, node('layoutColumn', { width: 50 }, paragraph('left'))), 'left'],
  [
    'inline nodes',
    paragraph(
      'Ask ',
      node('mention', { id: 'acc-1', text: '@Ines Ortega' }),
      ' ',
      node('emoji', { shortName: ':truck:', text: '🚚' }),
      ' before ',
      node('date', { timestamp: '1795608000000' }),
      ' ',
      node('status', { text: 'LATE', color: 'red' }),
      ' ',
      node('inlineCard', { url: 'https://x.example/b' }),
    ),
    'Ask [@Ines Ortega](mention:acc-1) 🚚 before 2026-11-25 LATE <https://x.example/b>',
  ],
  ['a line break', paragraph('one', node('hardBreak', {}), 'two'), 'one\\\ntwo'],
  ['strong text', paragraph(text('now', 'strong')), '**now**'],
  ['emphasis', paragraph(text('now', 'em')), '*now*'],
  ['text that was struck out', paragraph(text('now', 'strike')), '~~now~~'],
  ['code in a line', paragraph(text('a < b', 'code')), '`a < b`'],
  [
    'a link',
    paragraph(text('the page', { type: 'link', attrs: { href: 'https://x.example/c' } })),
    '[the page](https://x.example/c)',
  ],
  [
    'marks that Markdown does not have',
    paragraph(
      text('red', { type: 'textColor', attrs: { color: '#ff0000' } }),
      text(' under', 'underline'),
      text('2', { type: 'subsup', attrs: { type: 'sub' } }),
      text(' back', { type: 'backgroundColor', attrs: { color: '#00ff00' } }),
    ),
    'red under2 back',
  ],
  ['a node of an app', node('extension', { extensionKey: 'chart', text: 'Chart' }), ''],
  ['a node that is not known', node('spaceship', {}, paragraph('inside')), 'inside'],
]

describe('a document of Atlassian', () => {
  it.each(NODES)('becomes Markdown: %s', (_, content, markdown) => {
    expect(adfToMarkdown(doc(content)).trim()).toBe(markdown)
  })

  it.each(NODES)('is the same document again where nothing was changed: %s', (_, content, markdown) => {
    if (markdown !== '') expect(editAdf(doc(content), `${markdown}\n\nMore.`).stored.content[0]).toEqual(content)
  })

  it('loses no panel or color of one block by a change of another', () => {
    const panel = node('panel', { panelType: 'info' }, paragraph('Keep me.'))
    const red = paragraph(text('red', { type: 'textColor', attrs: { color: '#ff0000' } }))
    const before = doc(panel, paragraph('old'), red)
    const after = editAdf(before, adfToMarkdown(before).replace('old', 'new'))
    expect(after.stored.content).toEqual([panel, paragraph('new'), red])
  })
})

describe('Markdown to a document to Markdown', () => {
  const contentOf = (markdown: string): unknown => {
    const simplify = (one: Nodes): string => {
      if ('value' in one) return one.value
      return 'children' in one ? one.children.map(simplify).join(' ') : one.type === 'image' ? (one.alt ?? '') : ''
    }
    return simplify(parseMarkdown(markdown)).replace(/\s+/g, '')
  }

  it('keeps the words of any document, and is stable', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const markdown = toMarkdown(document, { extensions: [gfmToMarkdown()] })
        const once = adfToMarkdown(markdownToAdf(markdown))
        expect(adfToMarkdown(markdownToAdf(once))).toBe(once)
        if (!/!\[|\[x\]|\[ \]|^ *> /m.test(markdown)) expect(contentOf(once)).toBe(contentOf(markdown))
      }),
      { numRuns: Number(process.env['STUDIO_RUNS'] ?? 150) },
    )
  })
})

describe('a document that was not made by Atlassian', () => {
  const nest = (levels: number): Node => {
    let inner = paragraph('deep')
    for (let level = 0; level < levels; level++) inner = node('panel', { panelType: 'info' }, inner)
    return inner
  }

  it('is read however deeply it is nested', () => {
    expect(adfToMarkdown(doc(nest(1_000)))).toContain('deep')
    expect(adfToMarkdown(doc(nest(200_000)))).toContain('deep')
  })

  it('is read in time in proportion to its size', () => {
    const many = doc(...Array.from({ length: 20_000 }, (_, i) => paragraph(text(`word ${i}`, i % 2 ? 'strong' : 'em'))))
    expect(adfToMarkdown(many).match(/word/g)).toHaveLength(20_000)
    const wide = doc(paragraph(...Array.from({ length: 20_000 }, () => text('x', 'strong'))))
    expect(adfToMarkdown(wide).match(/x/g)).toHaveLength(20_000)
  })

  it.each([
    ['nothing', null],
    ['a number', 7],
    ['content that is no list', { type: 'doc', content: 'x' }],
    ['nodes without a type', { type: 'doc', content: [{}, null, 'x', { type: 7 }] }],
    ['a heading of no level', doc(node('heading', { level: 'high' }, text('a')))],
    ['a date of no time', doc(paragraph(node('date', { timestamp: 'soon' })))],
    ['a text that is no string', doc(paragraph({ type: 'text', text: 7 }))],
    ['marks that are no list', doc(paragraph({ type: 'text', text: 'a', marks: 'strong' }))],
    ['attributes that are no object', doc({ type: 'heading', attrs: null }, { type: 'media', attrs: 7 })],
    ['a table without cells', doc(node('table', {}, node('tableRow', {})))],
    ['a list that starts at no number', doc(node('orderedList', { order: 'x' }, item(paragraph('a'))))],
  ])('is read without an error: %s', (_, value) => {
    expect(adfToMarkdown(value)).not.toMatch(/NaN|undefined|null/)
    expect(adfToMarkdown(editAdf(value, 'new').stored).trim()).toBe('new')
  })

  it('makes no link that runs code, and no HTML', () => {
    const link = { type: 'link', attrs: { href: 'javascript:alert(1)' } }
    const markdown = adfToMarkdown(doc(paragraph(text('<script>alert(1)</script>'), text('a', link))))
    expect(markdown).not.toMatch(/^<script>/)
    expect(parseMarkdown(markdown).children.every(({ type }) => type === 'paragraph')).toBe(true)
  })
})

describe('an image', () => {
  const url = 'https://site.example/rest/api/3/attachment/content/7'

  it('that is a block of its own is shown from its address', () => {
    const document = markdownToAdf(`Before.\n\n![The gate](${url})\n`)
    const media = { type: 'media', attrs: { type: 'external', url, alt: 'The gate' } }
    expect(document.content[1]).toEqual({ type: 'mediaSingle', attrs: { layout: 'center' }, content: [media] })
    expect(adfToMarkdown(document).trim()).toBe(`Before.\n\n![The gate](${url})`)
  })

  it('is added to a text that has none', () => {
    const { stored } = editAdf(markdownToAdf('Before.'), `Before.\n\n![The gate](${url})`)
    expect(adfToMarkdown(stored).trim()).toBe(`Before.\n\n![The gate](${url})`)
  })

  it('in a line of text, or of this machine, is a link', () => {
    for (const markdown of [`See ![it](${url}) there.`, '![it](./shot.png)'])
      expect(JSON.stringify(markdownToAdf(markdown))).not.toContain('media')
  })
})
