import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { summary } from '../../../commands/views/reports/summary'
import { NOW } from '../report-context'
import { shopWithHistory } from '../shop-history'
import { canvas } from './drawn'

describe('the summary in a window', () => {
  it.each([40, 59, 60, 80, 120])('is no wider than its %i columns', (width) => {
    const drawn = summary({ ...shopWithHistory(), generatedAt: NOW }, canvas(width))
    expect(drawn).toContain('FEATURE')
    expect(drawn).toContain('WEEK OF')
    for (const line of drawn.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width)
  })
})
