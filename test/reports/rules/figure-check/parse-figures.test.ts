import { describe, expect, it } from 'vitest'
import { parseFigures } from '../../../../src/reports/rules/figure-check/parse-figures'

const read = (text: string) => parseFigures(text).map(({ kind, value, unit }) => [kind, value, unit])

describe('parseFigures', () => {
  it.each([
    [
      '26 points and 1,234.5 items',
      [
        ['number', '26', 'point'],
        ['number', '1234.5', 'item'],
      ],
    ],
    [
      '3 open backlog items, 2 story points',
      [
        ['number', '3', 'item'],
        ['number', '2', 'point'],
      ],
    ],
    [
      '**12** of 26 points',
      [
        ['number', '12', null],
        ['number', '26', 'point'],
      ],
    ],
    [
      '46% or 46 percent or forty-six per cent',
      [
        ['percent', '46', null],
        ['percent', '46', null],
        ['percent', '46', null],
      ],
    ],
    [
      '#101 and #102',
      [
        ['item', '101', null],
        ['item', '102', null],
      ],
    ],
    [
      'on 2026-11-18 at 09:30',
      [
        ['day', '2026-11-18', null],
        ['time', '09:30', null],
      ],
    ],
    [
      '18 Nov 2026, November 18th, 2026, 18 November',
      [
        ['day', '2026-11-18', null],
        ['day', '2026-11-18', null],
        ['day', '11-18', null],
      ],
    ],
    ['since November 2026', [['month', '2026-11', null]]],
    [
      'three features and twenty-one tasks',
      [
        ['number', '3', 'feature'],
        ['number', '21', 'item'],
      ],
    ],
    [
      'two hundred and six items, a dozen days',
      [
        ['number', '206', 'item'],
        ['number', '12', 'day'],
      ],
    ],
    [
      '5k points, 2 million items',
      [
        ['number', '5000', 'point'],
        ['number', '2000000', 'item'],
      ],
    ],
    [
      '(-2 points), 3-4 items',
      [
        ['number', '-2', 'point'],
        ['number', '3', null],
        ['number', '4', 'item'],
      ],
    ],
    ['one of the features, Q4, v2, P85', []],
    [
      '__97%__ done, _41 points_, __forty items__, _2026-12-05_, __5 December 2026__',
      [
        ['percent', '97', null],
        ['number', '41', 'point'],
        ['number', '40', 'item'],
        ['day', '2026-12-05', null],
        ['day', '2026-12-05', null],
      ],
    ],
    [
      'half of it, half the points are done; one-half of them; two thirds, a quarter of the work, ¾ of it',
      [
        ['percent', '50', null],
        ['percent', '50', null],
        ['percent', '50', null],
        ['percent', '67', null],
        ['percent', '25', null],
        ['percent', '75', null],
      ],
    ],
    ['in the second half of the year, half-finished, on behalf of, a third feature, this quarter', []],
    ['1. Ship it\n2) Test 3 items\n> 3. Rest', [['number', '3', 'item']]],
    ['', []],
  ])('reads %j', (text, figures) => {
    expect(read(text)).toEqual(figures)
  })

  it('returns the position of each figure', () => {
    const text = '1. Ship 97% by May'
    const [figure] = parseFigures(text)
    expect(text.slice(figure!.at, figure!.at + figure!.text.length)).toBe('97%')
  })
})
