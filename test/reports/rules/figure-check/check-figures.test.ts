import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkFigures } from '../../../../src/reports/rules/figure-check/check-figures'
import { renderBriefing } from '../../../../src/reports/rules/render-briefing'
import { buildFigures } from '../../at-once'
import { anyLinks } from '../../random-workspace'
import { shop } from '../../sample-workspace'
import { buildShopHistory } from '../../shop-history'

const figures = buildFigures(shop)
const findUnknown = (text: string) => checkFigures(text, figures).map((warning) => warning.split(' is not in')[0])

describe('checkFigures', () => {
  it('finds nothing in the deterministic text of any workspace', () => {
    fc.assert(
      fc.property(anyLinks, (items) => {
        const all = buildFigures(items)
        expect(checkFigures(renderBriefing(all), all)).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  it('finds nothing in the text of a workspace with a history', () => {
    const all = buildShopHistory()
    expect(all.flow?.cycleTime).not.toBeNull()
    expect(checkFigures(renderBriefing(all), all)).toEqual([])
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
  ])('finds in %j the figures %j', (text, expected) => {
    expect(findUnknown(text)).toEqual(expected)
  })

  it('does not check a title that follows its ID, and checks the same words elsewhere', () => {
    const odd = buildFigures(shop.map((one) => (one.id === 101 ? { ...one, title: 'All 97% done by 2031' } : one)))
    expect(checkFigures('**#101 All 97% done by 2031** is at risk', odd)).toEqual([])
    expect(checkFigures('#101: "All 97% done by 2031" is at risk', odd)).toEqual([])
    expect(checkFigures('All 97% done', odd)).toHaveLength(1)
  })

  it('does not take the beginning of a number for a title', () => {
    const odd = buildFigures(shop.map((one) => (one.id === 101 ? { ...one, title: '9' } : one)))
    expect(checkFigures('#101 9 is at risk', odd)).toEqual([])
    expect(checkFigures('#101 97% done, #101 9% done', odd)).toHaveLength(2)
  })

  it('does not add numbers in titles to the basis', () => {
    const odd = buildFigures(shop.map((one) => ({ ...one, title: '97% done, 4711 points' })))
    expect(checkFigures('97% done, 4711 points', odd)).toHaveLength(2)
  })

  it('names each unknown figure once, with its context, and at most twenty', () => {
    expect(checkFigures('It is 97% done. Yes, 97%.', figures)).toEqual([
      '97% is not in the basis: "…It is 97% done. Yes, 97%.…"',
    ])
    const many = Array.from({ length: 25 }, (_, n) => `${n + 5000} points`).join(', ')
    expect(checkFigures(many, figures)).toHaveLength(21)
    expect(checkFigures(many, figures).at(-1)).toBe('5 more figures are not in the field basis.')
  })

  it('accepts any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789 #%.,:-/*_|\nabcdnov') }), (text) => {
        expect(Array.isArray(checkFigures(text, figures))).toBe(true)
      }),
    )
  })
})
