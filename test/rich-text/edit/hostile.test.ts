import { describe, expect, it } from 'vitest'
import { adfToMarkdown, htmlToMarkdown } from '../../../src/rich-text'
import { editAdf, editWiki } from '../../../src/rich-text/edit/edit-atlassian'
import { editStoredText } from '../../../src/rich-text/edit/edit-text'

/** Milliseconds of processor time. */
function measure(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

describe('the edit of a text that is made to be expensive', () => {
  it.each([
    ['html', '<div>'.repeat(3_000)],
    ['html', '<b><p>'.repeat(2_000)],
    ['markdown', '> '.repeat(3_000)],
    ['markdown', '- '.repeat(3_000)],
  ] as const)('is written in %s however deeply that is nested', (format, nesting) => {
    const { source } = editStoredText({ format, source: `${nesting}old`, before: 'old', after: 'new' })
    expect(source).toContain('new')
    expect(source).not.toContain('old')
  })

  it.each(['html', 'markdown'] as const)('is written in %s however deeply the new text is nested', (format) => {
    const after = Array.from({ length: 600 }, (_, level) => `${'  '.repeat(level)}- new`).join('\n')
    const { source, undecided } = editStoredText({ format, source: 'old', before: 'old', after })
    expect(undecided.length > 0 || source.includes('new')).toBe(true)
  })

  it('is written in a document however deeply that is nested', () => {
    let node: object = { type: 'paragraph', content: [{ type: 'text', text: 'old' }] }
    for (let level = 0; level < 5_000; level++) node = { type: 'panel', content: [node] }
    expect(adfToMarkdown(editAdf({ type: 'doc', content: [node] }, 'new').stored)).toBe('new')
  })

  it.each([
    ['![a](', 'markdown'],
    ['[', 'markdown'],
    ['*a ', 'markdown'],
    ['<b>a', 'html'],
  ] as const)('takes time in proportion to its size: %s', (part, format) => {
    const edit = (count: number) => () =>
      editStoredText({ format, source: part.repeat(count), before: 'old', after: 'new' })
    edit(500)()
    const [small, large] = [measure(edit(5_000)), measure(edit(40_000))]
    expect(large).toBeLessThan(Math.max(small, 50) * 30)
  })

  it.each(['*a ', '{color:', '[a|', '!x', '|a', '{panel}\n{quote}\n'])(
    'takes time in proportion to its size in wiki markup: %s',
    (part) => {
      const edit = (count: number) => () => editWiki(part.repeat(count), 'new', (wiki) => wiki)
      edit(500)()
      const [small, large] = [measure(edit(2_500)), measure(edit(20_000))]
      expect(large).toBeLessThan(Math.max(small, 50) * 30)
    },
  )

  it('takes time in proportion to its size if all words are the same, and all are replaced', () => {
    const edit = (count: number) => {
      const html = `<p>${'a '.repeat(count)}</p>`
      const before = htmlToMarkdown(html)
      return () => editStoredText({ format: 'html', source: html, before, after: 'b '.repeat(count) })
    }
    edit(500)()
    expect(measure(edit(40_000))).toBeLessThan(Math.max(measure(edit(5_000)), 50) * 30)
  })

  it('takes time in proportion to its size if all rows of a table are replaced', () => {
    const edit = (count: number) => {
      const html = `<table>${Array.from({ length: count }, (_, row) => `<tr><td>a${row}</td></tr>`).join('')}</table>`
      const before = htmlToMarkdown(html)
      return () => editStoredText({ format: 'html', source: html, before, after: before.replaceAll('a', 'b') })
    }
    edit(100)()
    expect(measure(edit(3_200))).toBeLessThan(Math.max(measure(edit(400)), 50) * 24)
  })

  it('keeps characters for private use that the text has', () => {
    const source = '<p>one \ue0000\ue000 two</p><p>three</p>'
    const before = htmlToMarkdown(source)
    const edited = editStoredText({ format: 'html', source, before, after: `# ${before.replace('three', 'four')}` })
    expect(edited.source).toBe('<h1>one \ue0000\ue000 two</h1><p>four</p>')
  })

  it('keeps characters for private use that are in an address or in the description of an image', () => {
    const after = '# one two ![a\ue000b](https://x.example/a.png "\ue000")'
    const edited = editStoredText({ format: 'markdown', source: 'one two', before: 'one two', after })
    expect(edited.source).toBe(after)
  })
})
