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

  const details = '<details>\n<summary>More</summary>\n\ntext\n\n</details>'
  it.each([
    ['words', 'Other **two** x < 1\n\ntext', '<summary>Other <strong>two</strong> x &#60; 1</summary>'],
    ['a paragraph behind it', 'More\n\nnew\n\ntext', '<summary>More</summary>\n\nnew\n'],
    ['no words', 'text', '<summary></summary>'],
  ])('writes HTML in a block of HTML, and leaves what begins and ends elsewhere: %s', (_name, after, wanted) => {
    const edited = edit('markdown', details, ['More\n\ntext', after])
    expect(edited).toMatchObject({ undecided: [], losses: [] })
    expect(edited.source).toContain(wanted)
    expect(edited.source).toMatch(/^<details>\n<summary>[\s\S]*<\/details>$/)
  })

  it('announces what cannot be changed in a block of HTML', () => {
    const list = '<ul>\n<li>one</li>\n<li>two</li>\n</ul>'
    expect(edit('markdown', list, ['- one\n- two', '- one\n- two\n- three'])).toMatchObject({
      source: list,
      undecided: ['three'],
    })
    const heading = edit('markdown', '<p>one <b>two</b></p>', ['one **two**', '## one **two**'])
    expect(heading).toEqual({ source: '## one **two**', undecided: [], losses: ['formatting of “one two”'] })
  })

  it.each([
    ['a code with a bar', '`x\\|y`'],
    ['a bar', 'x \\| y'],
    ['a line break', 'x<br>y'],
  ])('keeps a cell in its row: %s', (_name, fresh) => {
    const table = (cell: string) => `| a | b |\n| --- | --- |\n| ${cell} | d |`
    const source = '|a|b|\n|--|--|\n|c|d|'
    const changed = edit('markdown', source, [table('c'), table(`c ${fresh}`)])
    expect(changed).toEqual({ source: source.replace('c', `c ${fresh}`), undecided: [], losses: [] })
    const added = edit('markdown', source, [table('c'), `${table('c')}\n| ${fresh} | f |`])
    expect(added.source).toBe(`${source}\n| ${fresh} | f |`)
  })

  it('ends new lines as the others end', () => {
    const edited = edit('markdown', '* a  \r\n  b\r\n\r\nc', ['- a\\\n  b\n\nc', '- a b\n- d\n\nc\n\ne'])
    expect(edited.source).toBe('* a b\r\n* d\r\n\r\nc\r\n\r\ne')
  })

  it.each([
    ['markdown', '- a\n  * b\n- c', '- a\n  * b\n- new\n- c'],
    [
      'html',
      '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>',
      '<ul><li>a<ul><li>b</li></ul></li><li>new</li><li>c</li></ul>',
    ],
  ] as const)('adds an item behind one that has a list to the list of both (%s)', (format, source, wanted) => {
    expect(edit(format, source, ['- a\n  - b\n- c', '- a\n  - b\n- new\n- c']).source).toBe(wanted)
  })

  it.each([
    ['both blocks that take the place of all', 'one', 'one', '## two\n\nthree', '## two\n\nthree'],
    ['before a block with a new first word', 'one', 'one', '> two\n\na one', '> two\n\na one'],
    ['behind a byte order mark', '\ufeffone', 'one', '> two\n> three\n\none', '\ufeff> two\n> three\n\none'],
    [
      'between lines that nothing separates',
      '~~~\na\n~~~\nb\n===',
      '```\na\n```\n\n# b',
      '```\na\n```\n\nc\n\n# b',
      '~~~\na\n~~~\n\nc\n\nb\n===',
    ],
    ['in a list with tabs', '-\ta\n-\tb', '- a\n- b', '- a\n- b\n- c\n  - d', '-\ta\n-\tb\n- c\n  - d'],
  ])('keeps new blocks apart from others: %s', (_name, source, before, after, wanted) => {
    expect(edit('markdown', source, [before, after])).toEqual({ source: wanted, undecided: [], losses: [] })
  })
})
