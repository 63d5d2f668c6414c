import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { colorsFor } from '../../commands/terminal/colors'
import { type Canvas, type Column, cut, printable, table, wrapText } from '../../commands/terminal/layout'

const colors = colorsFor('out', { isTty: false, env: {}, noColor: false })
const pipe: Canvas = { colors, width: null }
const columns: Column<{ id: number; title: string }>[] = [
  { title: 'ID', text: (row) => String(row.id), align: 'right' },
  { title: 'TITLE', text: (row) => row.title, shrink: 'cut' },
]

describe('text for a terminal', () => {
  it('shows control characters as symbols', () => {
    expect(printable('a\u001b[31mred\u0007')).toBe('a␛[31mred␇')
  })

  it('never contains one, whatever the input is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
      }),
    )
  })
})

describe('a table', () => {
  it('aligns wide characters', () => {
    const rows = [
      { id: 7, title: '倉庫' },
      { id: 112, title: 'Dock' },
    ]
    expect(table(pipe, rows, columns)).toBe(' ID  TITLE\n  7  倉庫\n112  Dock\n')
  })

  it('cuts nothing in a pipe', () => {
    const title = 'x'.repeat(500)
    expect(table(pipe, [{ id: 1, title }], columns)).toContain(title)
  })

  it('fits the window of a terminal', () => {
    const text = table({ colors, width: 40 }, [{ id: 1, title: 'x'.repeat(500) }], columns)
    for (const line of text.trimEnd().split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(40)
    expect(text).toContain('…')
  })
})

describe('a table of a narrow window', () => {
  const wide: Column<{ id: string; title: string; note: string }>[] = [
    { title: 'ID', text: (row) => row.id },
    { title: 'TITLE', text: (row) => row.title, shrink: 'cut' },
    { title: 'NOTE', text: (row) => row.note },
  ]
  const row = { id: 'a1b2c3d4-e5f6', title: 'A long title of many words', note: 'a note of many words that says why' }
  const narrow = (width: number) => table({ colors, width }, [row], wide)

  it('wraps at words what may not be cut, within the window', () => {
    const text = narrow(60)
    for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(60)
    for (const word of row.note.split(' ')) expect(text.split(/\s+/)).toContain(word)
    expect(text).toContain(row.id)
  })

  it('lists the facts of each row if the columns do not fit', () => {
    expect(narrow(30)).toBe(
      [
        'ID     a1b2c3d4-e5f6',
        'TITLE  A long title of many',
        '       words',
        'NOTE   a note of many words',
        '       that says why',
        '',
      ].join('\n'),
    )
  })
})

describe('wrapping', () => {
  it('preserves the spaces at the start of a line', () => {
    expect(wrapText('    one two', 40)).toBe('    one two')
    expect(wrapText('    one two three', 12)).toBe('    one two\n    three')
  })

  it('loses no word and no line', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 80 }), fc.integer({ min: 20, max: 60 }), (text, width) => {
        expect(wrapText(text, width).split(/\s+/)).toEqual(text.split(/\s+/))
      }),
    )
  })

  it('preserves the indent of a list', () => {
    expect(wrapText('- one two three four', 12)).toBe('- one two\n  three four')
  })
})

describe('cutting', () => {
  it('never splits a character, and stays within the width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, width) => {
        expect(stringWidth(cut(text, width))).toBeLessThanOrEqual(width)
      }),
    )
  })
})
