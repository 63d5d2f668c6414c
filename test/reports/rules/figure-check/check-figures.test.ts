import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { briefingText } from '../../../../src/reports/rules/briefing-text'
import { checkFigures } from '../../../../src/reports/rules/figure-check/check-figures'
import { figuresOf } from '../../../../src/reports/rules/figures'
import { anyLinks } from '../../random-workspace'
import { shop } from '../../sample-workspace'
import { shopWithHistory } from '../../shop-history'

const figures = figuresOf(shop)
const strays = (text: string) => checkFigures(text, figures).map((warning) => warning.split(' is not in')[0])

describe('the check of figures', () => {
  it('finds nothing in the deterministic text, whatever the workspace', () => {
    fc.assert(
      fc.property(anyLinks, (items) => {
        const all = figuresOf(items)
        expect(checkFigures(briefingText(all), all)).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  it('finds nothing in that of a workspace with a history', () => {
    const all = shopWithHistory()
    expect(all.flow?.cycleTime).not.toBeNull()
    expect(checkFigures(briefingText(all), all)).toEqual([])
  })

  it.each([
    ['26 points, 12 of them done (46%), 14 points left', []],
    ['27 points', ['27 points']],
    ['26 items', ['26 items']],
    ['twenty-six points, twenty-seven points', ['twenty-seven points']],
    ['47% of the work', ['47%']],
    ['#101 is at risk, #100 is not', ['#100']],
    ['as of 18 Nov 2026, as of November 19', ['November 19']],
    ['in November 2026, in December 2026', ['December 2026']],
    ['3 features; 4 features', ['4 features']],
    ['1,000,000 points', ['1,000,000 points']],
    ['__97%__ done, _27 points_', ['97%', '27 points']],
    ['９７％ done, ٩٧٪ of it', ['97%']],
    ['9\u200b7% done, &#57;8% done', ['97%', '98%']],
    ['two thirds of the points, three quarters of the work', ['two thirds', 'three quarters']],
  ])('of %j finds %j', (text, expected) => {
    expect(strays(text)).toEqual(expected)
  })

  it('takes a title that follows its id for a quote, and the same words elsewhere for a claim', () => {
    const odd = figuresOf(shop.map((one) => (one.id === 101 ? { ...one, title: 'All 97% done by 2031' } : one)))
    expect(checkFigures('**#101 All 97% done by 2031** is at risk', odd)).toEqual([])
    expect(checkFigures('#101: "All 97% done by 2031" is at risk', odd)).toEqual([])
    expect(checkFigures('All 97% done', odd)).toHaveLength(1)
  })

  it('takes no number for a title that it begins with', () => {
    const odd = figuresOf(shop.map((one) => (one.id === 101 ? { ...one, title: '9' } : one)))
    expect(checkFigures('#101 9 is at risk', odd)).toEqual([])
    expect(checkFigures('#101 97% done, #101 9% done', odd)).toHaveLength(2)
  })

  it('does not take what stands in titles for figures of the basis', () => {
    const odd = figuresOf(shop.map((one) => ({ ...one, title: '97% done, 4711 points' })))
    expect(checkFigures('97% done, 4711 points', odd)).toHaveLength(2)
  })

  it('names a stray once, with the words around it, and no more than twenty', () => {
    expect(checkFigures('It is 97% done. Yes, 97%.', figures)).toEqual([
      '97% is not in the basis: "…It is 97% done. Yes, 97%.…"',
    ])
    const many = Array.from({ length: 25 }, (_, n) => `${n + 5000} points`).join(', ')
    expect(checkFigures(many, figures)).toHaveLength(21)
    expect(checkFigures(many, figures).at(-1)).toBe('5 more figures are not in the basis.')
  })

  it('bears any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789 #%.,:-/*_|\nabcdnov') }), (text) => {
        expect(Array.isArray(checkFigures(text, figures))).toBe(true)
      }),
    )
  })
})
