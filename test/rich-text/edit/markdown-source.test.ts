import { describe, expect, it } from 'vitest'
import { editStoredText } from '../../../src/rich-text/edit/edit-text'

const edit = (format: 'html' | 'markdown', source: string, [before, after]: [string, string]) =>
  editStoredText({ format, source, before, after })

describe('an edit of stored Markdown', () => {
  it('changes a word of HTML in a quote, or says what that loses', () => {
    const source = '> <div>\n> one <b>two</b> three\n> </div>\n\nfour'
    const [quote, fresh] = ['> one **two** three', '> one **two** five']
    const inQuote = edit('markdown', source, [`${quote}\n\nfour`, `${fresh}\n\nfour`])
    const isNoted = inQuote.undecided.length + inQuote.losses.length > 0
    if (!isNoted) expect(inQuote.source).toBe(source.replace('three', 'five'))
    expect(inQuote.source).toMatch(/^> .*\btwo\b.* five/m)
    expect(edit('markdown', source, [`${quote}\n\nfour`, `${quote}\n\nsix`])).toEqual({
      source: source.replace('four', 'six'),
      undecided: [],
      losses: [],
    })
  })

  it.each(['\n', '\r\n'])('puts a new first row below the line that separates the header (%j)', (end) => {
    const source = ['| a | b |', '|---|---|', '| c | d |'].join(end)
    const table = (...rows: string[]) => ['| a | b |', '| --- | --- |', ...rows].join('\n')
    const edited = edit('markdown', source, [table('| c | d |'), table('| x | y |', '| c | d |')])
    expect(edited.source.split(/\r?\n/)).toEqual(['| a | b |', '|---|---|', '| x | y |', '| c | d |'])
    const headerOnly = edit('markdown', '| a | b |\n|---|---|', [table(), table('| x | y |')])
    expect(headerOnly.source).toBe('| a | b |\n|---|---|\n| x | y |')
  })

  it.each([
    ['markdown', 'a  \nb', 'a b'],
    ['markdown', 'a\\\nb', 'a b'],
    ['html', '<p>a<br>b</p>', '<p>a b</p>'],
  ] as const)('keeps words apart whose line break is deleted (%s: %j)', (format, source, wanted) => {
    expect(edit(format, source, ['a\\\nb', 'a b']).source).toBe(wanted)
  })
})
