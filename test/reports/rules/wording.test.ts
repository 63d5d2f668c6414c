import { describe, expect, it } from 'vitest'
import { countDaysBetween, formatDate, formatDateTime } from '../../../src/reports/rules/dates'
import {
  escapeMarkdown,
  formatCount,
  formatNumber,
  formatPercent,
  joinList,
  renderProgressBar,
} from '../../../src/reports/rules/wording'

describe('wording', () => {
  it('formats counts and lists in English', () => {
    expect([0, 1, 2, 2.5].map((n) => formatCount(n, 'point'))).toEqual([
      'no points',
      '1 point',
      '2 points',
      '2.5 points',
    ])
    expect(joinList(['a'])).toBe('a')
    expect(joinList(['a', 'b', 'c'])).toBe('a, b and c')
    expect(formatNumber(1 / 3)).toBe('0.33')
  })

  it('shows 100% only if all is done, and 0% only if nothing is', () => {
    expect([0, 0.001, 0.125, 0.5, 0.999, 1].map(formatPercent)).toEqual(['0%', '1%', '13%', '50%', '99%', '100%'])
    expect([0, 0.5, 0.999, 1].map(renderProgressBar)).toEqual([
      '`░░░░░░░░░░`',
      '`█████░░░░░`',
      '`█████████░`',
      '`██████████`',
    ])
  })

  it('formats dates in UTC', () => {
    expect(formatDate('2026-11-04T23:59:59.999Z')).toBe('4 Nov 2026')
    expect(formatDateTime('2026-11-04T09:30:00.000Z')).toBe('4 Nov 2026, 09:30 UTC')
    expect(countDaysBetween('2026-11-01T12:00:00.000Z', '2026-11-03T11:59:59.999Z')).toBe(1)
  })
})

describe('escapeMarkdown', () => {
  it('does not change plain words', () => {
    expect(escapeMarkdown("Don't ship (yet): 50% off, naïve café 日本 👍")).toBe(
      "Don't ship (yet): 50% off, naïve café 日本 👍",
    )
  })

  it('escapes Markdown syntax', () => {
    expect(escapeMarkdown('a|b `c` *d* _e_ [f](g) <i> ~h~ &amp; \\')).toBe(
      'a\\|b \\`c\\` \\*d\\* \\_e\\_ \\[f\\](g) \\<i\\> \\~h\\~ \\&amp; \\\\',
    )
  })

  it('returns one line without control characters and direction overrides', () => {
    expect(escapeMarkdown(' a\r\n\r\n# b\u2028c\u0000\u001b[31md\u202Ee\u2066f\t ')).toBe('a # b c \\[31mdef')
  })

  it('replaces a lone surrogate', () => {
    expect(escapeMarkdown('a\uD800b')).toBe('a\uFFFDb')
  })
})
