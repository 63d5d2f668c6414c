import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeText } from '../../../src/kernel/text/normalize-text'
import { tokenize } from '../../../src/search/rules/tokenize'

function forms(text: string, ...kinds: string[]): string[] {
  return tokenize(text)
    .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
    .map(({ form }) => form)
}

describe('fold', () => {
  it.each([
    ['Ünïcode', 'unicode'],
    ['ÉCOLE', 'ecole'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['Øresund', 'oresund'],
    ['İstanbul', 'istanbul'],
    ['ﬁx', 'fix'],
    ['ＡＢＣ１', 'abc1'],
    ['don’t', "don't"],
    ['ΟΔΟΣ', 'οδοσ'],
    ['soft\u00adhyphen', 'softhyphen'],
  ])('writes %s as %s', (text, expected) => {
    expect(normalizeText(text)).toBe(expected)
  })

  it('preserves marks that form a different letter', () => {
    expect(normalizeText('ガイド')).toBe('ガイド')
    expect(normalizeText('한국')).toBe('한국')
  })
})

describe('tokenize', () => {
  it('splits a text into normalized words with their positions', () => {
    expect(tokenize('Dock Door, 4')).toEqual([
      { form: 'dock', start: 0, end: 4, kind: 'word' },
      { form: 'door', start: 5, end: 9, kind: 'word' },
      { form: '4', start: 11, end: 12, kind: 'word' },
    ])
  })

  it.each([
    ['dockDoor', ['dock', 'door', 'dockdoor']],
    ['dock-door', ['dock', 'door', 'dockdoor']],
    ['dock_door', ['dock', 'door', 'dockdoor']],
    ['HTTPServer', ['http', 'server', 'httpserver']],
    ['node.js', ['node', 'js', 'nodejs']],
    ['myVar-name', ['my', 'var', 'myvar', 'name', 'myvarname']],
  ])('finds %s by its parts and as one word', (text, expected) => {
    expect(forms(text)).toEqual(expected)
  })

  it.each([
    ['PDFs', ['pdfs']],
    ['v1.2.3', ['v1.2.3']],
    ['3.5', ['3.5']],
    ["the dock's door", ['the', 'docks', 'door']],
    ['C# and C++', ['c#', 'and', 'c++']],
    ['door. Next', ['door', 'next']],
    ['and/or', ['and', 'or']],
    ['a -- b', ['a', 'b']],
  ])('reads %s as %j', (text, expected) => {
    expect(forms(text)).toEqual(expected)
  })

  it('pairs the characters of a script without spaces', () => {
    expect(forms('日本語', 'pair')).toEqual(['日本', '本語'])
    expect(forms('日本語', 'sign')).toEqual(['日', '本', '語'])
    expect(forms('テストABC用')).toEqual(['テ', 'テス', 'ス', 'スト', 'ト', 'abc', '用'])
  })

  it('ignores a lone apostrophe, also in Thai text', () => {
    expect(forms("ʼ ' ’")).toEqual([])
    expect(forms('ไʼท', 'sign', 'pair')).toEqual(['ไ', 'ไท', 'ท'])
  })

  it('truncates a very long word', () => {
    expect(forms('a'.repeat(100_000))).toEqual(['a'.repeat(64)])
  })

  it('returns tokens of the text, with words in order and disjoint', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.stringMatching(/^([a-zA-Z]{1,8}[ ._-]?){0,12}$/),
      fc.string({ unit: fc.constantFrom('日', '本', 'ガ', 'a', 'B', '1', '-', ' ', "'", '.', '#') }),
    )
    fc.assert(
      fc.property(text, (sample) => {
        const tokens = tokenize(sample)
        for (const { form, start, end } of tokens) {
          expect(form).not.toBe('')
          expect(0 <= start && start < end && end <= sample.length).toBe(true)
        }
        const line = tokens.filter(({ kind }) => kind === 'word' || kind === 'sign')
        for (const [i, token] of line.slice(1).entries()) expect(token.start).toBeGreaterThanOrEqual(line[i]!.end)
      }),
    )
  })

  it('returns the same tokens for ASCII text alone and next to other scripts', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'aZbC19 -_.\'#+"\n/') }),
      fc.string({ unit: 'binary-ascii' }),
      fc.stringMatching(/^([A-Za-z]{1,6}[#+'.0-9_ -]{0,3}){0,12}$/),
    )
    fc.assert(
      fc.property(text, (sample) => {
        expect(tokenize(sample)).toEqual(tokenize(`${sample}\né`).slice(0, -1))
      }),
      { numRuns: 1_000 },
    )
  })

  it('ignores case and accents', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zéöß]{1,12}( [a-zéöß]{1,12}){0,5}$/), (text) => {
        expect(forms(text.toUpperCase())).toEqual(forms(text))
        expect(forms(text.normalize('NFD'))).toEqual(forms(text))
      }),
    )
  })
})
