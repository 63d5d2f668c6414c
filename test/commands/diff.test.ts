import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines } from '../../commands/diff'

const shown = (before: string, after: string) => diffLines(before, after).map(({ kind, text }) => `${kind}${text}`)

describe('a comparison of two texts', () => {
  it('shows removed and added lines, and those around them', () => {
    expect(shown('a\nb\nc', 'a\nB\nc')).toEqual([' a', '-b', '+B', ' c'])
    expect(shown('', 'a\nb')).toEqual(['+a', '+b'])
    expect(shown('a', '')).toEqual(['-a'])
    expect(shown('a\nb', 'a\nb')).toEqual(['…'])
  })

  it('leaves out lines that are far from any change', () => {
    const lines = Array.from({ length: 20 }, (_, i) => String(i))
    const after = lines.with(10, 'new')
    expect(shown(lines.join('\n'), after.join('\n'))).toEqual([
      '…',
      ' 7',
      ' 8',
      ' 9',
      '-10',
      '+new',
      ' 11',
      ' 12',
      ' 13',
      '…',
    ])
  })

  it('turns one text into the other', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '')).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after)
        fc.pre(lines.every(({ kind }) => kind !== '…'))
        const side = (kind: '-' | '+') => lines.filter((line) => line.kind !== kind).map((line) => line.text)
        expect(side('+')).toEqual(before === '' ? [] : before.split('\n'))
        expect(side('-')).toEqual(after === '' ? [] : after.split('\n'))
      }),
      { numRuns: 1000 },
    )
  })

  it('does not compare texts that would take long, and is still correct', () => {
    const many = (seed: string) => Array.from({ length: 3000 }, (_, i) => `${seed}${i}`).join('\n')
    const lines = diffLines(many('a'), many('b'))
    expect(lines.filter(({ kind }) => kind === '-')).toHaveLength(3000)
    expect(lines.filter(({ kind }) => kind === '+')).toHaveLength(3000)
  })
})
