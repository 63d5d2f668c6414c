import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findRegressions, parseLedger, recordFigures } from './ledger'

const LEDGER = `# Figures

| bench | figure | goal | value | commit |
|---|---|---|---:|---|
| cli | studio --version ÷ node -e 0 | ≤ 1.2 × | 1.10 | abc1234 |
| cli | studio serve to its first answer | ≤ 200 ms | 180 | abc1234 |
| http | GET a second ÷ bare | ≥ 0.75 × | 0.80 | abc1234 |
`
const version = (value: number) => ({ name: 'studio --version ÷ node -e 0', value, atMost: 1.2 })

describe('the ledger of figures', () => {
  it('accepts what varies from run to run, and refuses what is more than a fifth worse', () => {
    const rows = parseLedger(LEDGER)
    expect(findRegressions(rows, 'cli', [version(1.31)])).toEqual([])
    expect(findRegressions(rows, 'cli', [version(1.4)])).toEqual([
      'studio --version ÷ node -e 0: 1.40, 27 % worse than 1.1 at abc1234',
    ])
    const get = (value: number) => [{ name: 'GET a second ÷ bare', value, atLeast: 0.75 }]
    expect(findRegressions(rows, 'http', get(0.68))).toEqual([])
    expect(findRegressions(rows, 'http', get(0.6))).toHaveLength(1)
  })

  it('refuses a figure that is no longer measured, and does not compare milliseconds', () => {
    expect(findRegressions(parseLedger(LEDGER), 'cli', [])).toEqual(['studio --version ÷ node -e 0: was not measured'])
  })

  it('records new values in their lines, and new figures with a goal below those of their bench', () => {
    const measured = [version(1.15), { name: 'studio --help', value: 1.3, atMost: 1.4 }, { name: 'no goal', value: 1 }]
    expect(recordFigures(LEDGER, 'cli', { measured, commit: 'def5678' })).toBe(`# Figures

| bench | figure | goal | value | commit |
|---|---|---|---:|---|
| cli | studio --version ÷ node -e 0 | ≤ 1.2 × | 1.15 | def5678 |
| cli | studio serve to its first answer | ≤ 200 ms | 180 | abc1234 |
| cli | studio --help | ≤ 1.4 × | 1.30 | def5678 |
| http | GET a second ÷ bare | ≥ 0.75 × | 0.80 | abc1234 |
`)
  })

  it('of the project can be read: every line of its table is a figure', () => {
    const markdown = readFileSync('docs/performance.md', 'utf8')
    const lines = markdown.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| bench'))
    expect(parseLedger(markdown)).toHaveLength(lines.length)
  })
})
