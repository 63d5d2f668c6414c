import { describe, expect, it } from 'vitest'
import { htmlToMarkdown, markdownToAdf, markdownToHtml, markdownToWiki, wikiToMarkdown } from '../../src/rich-text'
import { parseWiki } from '../../src/rich-text/parse-wiki'

describe('HTML to Markdown', () => {
  it.each([
    ['lines of the editor', '<div>one</div><div><br></div><div>two <b>bold</b><br></div>', 'one\n\ntwo **bold**'],
    ['nested lists', '<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>', '1. a\n   - b\n2. c'],
    [
      'a table',
      '<table><tr><th>a</th><th align=right>b</th></tr><tr><td>1<br>2</td><td>x | y</td></tr></table>',
      '| a | b |\n| --- | --: |\n| 1<br>2 | x \\| y |',
    ],
    ['code', '<pre><code class="language-sql">select 1 &lt; 2</code></pre>', '```sql\nselect 1 < 2\n```'],
    [
      'boxes',
      '<ul><li>☑ done</li><li><p>☐ open</p></li><li><input type="checkbox" checked> too</li></ul>',
      '- [x] done\n- [ ] open\n- [x] too',
    ],
    [
      'a mention',
      '<div><a href="#" data-vss-mention="version:2.0,8c8c-77">@Jane Doe</a> please</div>',
      '[@Jane Doe](mention:8c8c-77) please',
    ],
    [
      'a reference to an item, which is a link',
      '<a href="https://t.example/_workitems/edit/206" data-vss-mention="version:1.0">#206</a>',
      '[#206](https://t.example/_workitems/edit/206)',
    ],
    ['comments', '<!--StartFragment-->a<!--EndFragment-->', 'a'],
  ])('converts %s', (_, html, markdown) => expect(htmlToMarkdown(html)).toBe(markdown))

  it('reduces what is nested too deeply to its text', () => {
    const html = `${'<ul><li>x'.repeat(400)}<b>end</b>`
    expect(htmlToMarkdown(html)).toContain('end')
    expect(htmlToMarkdown(`${'<div>'.repeat(30_000)}deep`)).toBe('deep')
    expect(htmlToMarkdown('<b>x'.repeat(2_000)).match(/x/g)).toHaveLength(2_000)
  })
})

describe('a style that Markdown has no mark for', () => {
  const markdown = '<u>due</u> H<sub>2</sub>O n<sup>th</sup>'

  it('is written in HTML', () => {
    expect(markdownToHtml(markdown)).toBe('<p><u>due</u> H<sub>2</sub>O n<sup>th</sup></p>')
  })

  it('is written in documents of Atlassian', () => {
    const marks = JSON.stringify(markdownToAdf(markdown))
    for (const mark of ['{"type":"underline"}', '{"type":"sub"}', '{"type":"sup"}']) expect(marks).toContain(mark)
  })

  it('is written in wiki markup', () => {
    expect(markdownToWiki(markdown)).toBe('{+}due{+} H{~}2{~}O n{^}th{^}')
  })
})

describe('smileys and icons of Jira', () => {
  const show = (wiki: string) => wikiToMarkdown(wiki, parseWiki)

  it.each([
    ...[':)', ':(', ':P', ':D', ':p', ';)', ':-)', '(y)', '(n)', '(i)', '(/)', '(x)', '(!)', '(+)', '(-)', '(?)'],
    ...['(on)', '(off)', '(flag)', '(flagoff)', '(a|)', ':))', '((y))', ':(n)'],
  ])('stay text if Markdown has them as text: %s', (text) => {
    const markdown = `See ${text} here.`
    expect(markdownToHtml(show(markdownToWiki(markdown)))).toBe(markdownToHtml(markdown))
  })

  it('leave other words as they are', () => {
    const text = 'Doors (pairs, no pads; yes) at 8:Dock (x, y) and ratio:Percent, (import|export) done'
    expect(markdownToWiki(text)).toBe(text.replace('|', '&#124;'))
  })
})

describe('Markdown to HTML', () => {
  it.each([
    ['a script', 'a <script>alert(1)</script>', '<p>a</p>'],
    ['a handler', '<b onclick="x()">a</b>', '<p><strong>a</strong></p>'],
    ['an address that runs code', '[a](javascript:alert%281%29)', '<p>a</p>'],
    ['a style', '<span style="position:fixed">a</span>', '<p>a</p>'],
    ['a frame', 'a<iframe src="https://x.example"></iframe>', '<p>a</p>'],
  ])('removes %s', (_, markdown, html) => expect(markdownToHtml(markdown)).toBe(html))

  it('keeps each paragraph of a list item', () => {
    expect(markdownToHtml('- a\n\n  b\n- c')).toBe('<ul>\n<li><p>a</p><p>b</p></li>\n<li>c</li>\n</ul>')
  })

  it('mentions people by their name or account, and leaves names that two people have', () => {
    const people = [
      { displayName: 'Jane Doe', uniqueName: 'jane@x.example', identity: 'id-1' },
      { displayName: 'Jane Doe-Smith', uniqueName: null, identity: 'id-2' },
      { displayName: 'Sam', uniqueName: null, identity: 'id-3' },
      { displayName: 'Sam', uniqueName: null, identity: 'id-4' },
    ]
    const mention = (identity: string, name: string) =>
      `<a href="#" data-vss-mention="version:2.0,${identity}">@${name}</a>`
    expect(
      markdownToHtml('@jane doe, @Jane Doe-Smith and @jane@x.example, @Sam, `@Jane Doe`, a@Jane Doe', { people }),
    ).toBe(
      `<p>${mention('id-1', 'Jane Doe')}, ${mention('id-2', 'Jane Doe-Smith')} and ${mention('id-1', 'Jane Doe')}, @Sam, <code>@Jane Doe</code>, a@Jane Doe</p>`,
    )
  })

  it('escapes a list of a thousand levels as text', () => {
    const markdown = Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(2 * i)}- x`).join('\n')
    expect(markdownToHtml(markdown)).toMatch(/^<pre><code>- x/)
  })
})
