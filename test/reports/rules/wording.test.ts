import { describe, expect, it } from 'vitest'
import { asMarkdownText, progressBar } from '../../../src/reports/rules/markdown'
import { dateText, daysBetween, momentText } from '../../../src/reports/rules/moments'
import { count, listed, number, percent } from '../../../src/reports/rules/wording'

describe('words and numbers', () => {
  it('count in English', () => {
    expect([0, 1, 2, 2.5].map((n) => count(n, 'point'))).toEqual(['no points', '1 point', '2 points', '2.5 points'])
    expect(listed(['a'])).toBe('a')
    expect(listed(['a', 'b', 'c'])).toBe('a, b and c')
    expect(number(1 / 3)).toBe('0.33')
  })

  it('show 100% only when all is done, and 0% only when nothing is', () => {
    expect([0, 0.001, 0.125, 0.5, 0.999, 1].map(percent)).toEqual(['0%', '1%', '13%', '50%', '99%', '100%'])
    expect([0, 0.5, 0.999, 1].map(progressBar)).toEqual([
      '`░░░░░░░░░░`',
      '`█████░░░░░`',
      '`█████████░`',
      '`██████████`',
    ])
  })

  it('tell dates in UTC', () => {
    expect(dateText('2026-11-04T23:59:59.999Z')).toBe('4 Nov 2026')
    expect(momentText('2026-11-04T09:30:00.000Z')).toBe('4 Nov 2026, 09:30 UTC')
    expect(daysBetween('2026-11-01T12:00:00.000Z', '2026-11-03T11:59:59.999Z')).toBe(1)
  })
})

describe('asMarkdownText', () => {
  it('leaves plain words alone', () => {
    expect(asMarkdownText("Don't ship (yet): 50% off, naïve café 日本 👍")).toBe(
      "Don't ship (yet): 50% off, naïve café 日本 👍",
    )
  })

  it('escapes what Markdown would read', () => {
    expect(asMarkdownText('a|b `c` *d* _e_ [f](g) <i> ~h~ &amp; \\')).toBe(
      'a\\|b \\`c\\` \\*d\\* \\_e\\_ \\[f\\](g) \\<i\\> \\~h\\~ \\&amp; \\\\',
    )
  })

  it('keeps to one line, without control characters or a turned direction', () => {
    expect(asMarkdownText(' a\r\n\r\n# b\u2028c\u0000\u001b[31md\u202Ee\u2066f\t ')).toBe('a # b c \\[31mdef')
  })

  it('replaces half a character', () => {
    expect(asMarkdownText('a\uD800b')).toBe('a\uFFFDb')
  })
})
