import { describe, expect, it } from 'vitest'
import {
  adfToMarkdown,
  describeLocalImages,
  htmlToMarkdown,
  markdownToAdf,
  markdownToHtml,
  markdownToWiki,
} from '../../src/rich-text'
import { loadAtlassianTexts } from '../../src/rich-text/atlassian-texts'

const CODE = '```\nif (x) {\n    y()\n}\n```'

describe('code that an editor marks by style alone', () => {
  it.each([
    ['lines in divs', '<div style="white-space: pre"><div>if (x) {</div><div>    y()</div><div>}</div></div>'],
    ['line ends', '<div style="font-family: Menlo; white-space: pre-wrap">if (x) {\n    y()\n}</div>'],
    [
      'breaks and spaces that do not break',
      '<p><span style="font-family:Consolas,monospace">if (x) {<br>&nbsp;&nbsp;&nbsp; y()<br>}</span></p>',
    ],
  ])('keeps its indentation: %s', (_, html) => {
    expect(htmlToMarkdown(html)).toBe(CODE)
  })

  it.each([
    ['<p style="white-space: pre-wrap">One\n    line</p>', 'One line'],
    ['<p><span style="font-family: Courier New">one word</span></p>', 'one word'],
    ['<div style="font-family: monospace"><ul><li>a</li><li>b</li></ul></div>', '- a\n- b'],
  ])('is not seen in text: %s', (html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown)
  })
})

describe('lists', () => {
  it('of Word without its declarations are lists', () => {
    const line = (text: string) => `<p class="MsoNormal" style="margin-left:.5in">·&nbsp;&nbsp;&nbsp;&nbsp; ${text}</p>`
    expect(htmlToMarkdown(line('one') + line('two'))).toBe('- one\n- two')
  })

  it('begin with the value of their first item', () => {
    expect(htmlToMarkdown('<ol><li value="4">a</li><li>b</li></ol>')).toBe('4. a\n5. b')
  })

  it('in a cell have other bullets for each level', () => {
    const list = '<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>'
    expect(htmlToMarkdown(`<table><tr><td>${list}</td><td>x</td></tr></table>`)).toContain('• a<br>◦ b<br>▪ c<br>• d')
  })

  it('and code in a cell of Atlassian keep their lines', () => {
    const p = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
    const item = (text: string) => ({ type: 'listItem', content: [p(text)] })
    const list = { type: 'bulletList', content: [item('Check seal'), item('Check temperature')] }
    const code = { type: 'codeBlock', content: [{ type: 'text', text: 'a\nb' }] }
    const row = { type: 'tableRow', content: [list, code].map((one) => ({ type: 'tableCell', content: [one] })) }
    expect(adfToMarkdown({ type: 'doc', content: [{ type: 'table', content: [row] }] })).toContain(
      '| • Check seal<br>• Check temperature | `a`<br>`b` |',
    )
  })

  it('of wiki markup end at a heading, but not within code', async () => {
    const { toMarkdown } = await loadAtlassianTexts('wiki')
    expect(toMarkdown('* item\nh2. Head\ntext')).toBe('- item\n\n## Head\n\ntext')
    expect(toMarkdown('{noformat}\n* item\nh2. Head\n{noformat}')).toBe('```\n* item\nh2. Head\n```')
  })
})

it('keeps the line of an alert', () => {
  expect(htmlToMarkdown('<blockquote><p>[!WARNING]<br>Mind</p></blockquote>')).toBe('> [!WARNING]\n> Mind')
  expect(htmlToMarkdown('<p>[!WARNING]<br>Mind</p>')).toContain('\\\n')
})

describe('what Markdown has for links, images and cells', () => {
  it('is written with titles', () => {
    const markdown = '[a](https://x.example "T") ![i](https://x.example/i.png "I")'
    expect(htmlToMarkdown(markdownToHtml(markdown))).toBe(markdown)
    expect(JSON.stringify(markdownToAdf(markdown))).toMatch(/"title":"T".*"title":"I"/)
  })

  it('is a link for a bare address', () => {
    const markdown = 'see https://x.example/a_b.'
    expect(markdownToHtml(markdown)).toContain('<a href="https://x.example/a_b">https://x.example/a_b</a>.')
    expect(JSON.stringify(markdownToAdf(markdown))).toContain('"href":"https://x.example/a_b"')
  })

  it('is a line break of a cell in each format', () => {
    const markdown = '| a | b |\n| --- | --- |\n| x<br>y | z |'
    expect(JSON.stringify(markdownToAdf(markdown))).toContain('{"type":"hardBreak"}')
    expect(markdownToWiki(markdown)).toContain('|x\\\\y|z|')
  })

  it('is refused for an image that is a file of this machine', () => {
    expect(describeLocalImages('![x](./shot.png) and ![y](C:\\\\y.png)')).toMatch(/^the image \.\/shot\.png, C:/)
    expect(describeLocalImages('![x](./old.png) ![y](./new.png)', '![x](./old.png)')).toMatch(
      /^the image \.\/new\.png is/,
    )
    expect(describeLocalImages('![x](./old.png)', '![x](./old.png)')).toBeNull()
    expect(describeLocalImages('![x](https://x.example/./shot.png) `![x](./shot.png)` [x](./notes.md)')).toBeNull()
  })
})
