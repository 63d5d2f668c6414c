import { expect, it } from 'vitest'
import { renderForecastCsv } from '../../../commands/views/reports/forecast-csv'
import { parseCsv } from '../../../src/kernel/text/csv'
import { NOW } from '../report-context'

it('the CSV of a forecast has dates, numbers of items and past forecasts in columns of their own', () => {
  const [p50, p70, p85, p95] = ['2026-12-10', '2026-12-15', '2026-12-20', '2027-01-05']
  const text = renderForecastCsv({
    asOf: '2026-11-29',
    unit: 'items',
    record: null,
    work: [
      {
        id: 101,
        reference: '#101',
        title: 'Returns',
        items: 9,
        points: null,
        growth: 0,
        finish: { p50, p70, p85, p95 },
        chance: 0.8,
      },
    ],
    by: { date: '2026-12-20', chance: 0.8, items: { p50: 9, p70: 8, p85: 6, p95: 4 } },
    curve: [],
    backtest: { forecasts: 221, amounts: [10, 20], unfinished: 0, right: [{ percent: 85, share: 0.9 }], meanLoss: 2 },
    missing: ['The record is too short.'],
    explanation: [],
    notes: [],
    seed: 1,
    generatedAt: NOW,
  })
  const [head, ...rows] = parseCsv(text).map(({ cells }) => cells)
  const named = rows.map((cells) =>
    Object.fromEntries(head!.map((name, i) => [name, cells[i]] as const).filter(([, cell]) => cell !== '')),
  )
  expect(named).toEqual([
    { section: 'work', id: '101', reference: '#101', name: 'Returns', items: '9', p50, p70, p85, p95, chance: '0.8' },
    { section: 'missing', name: 'The record is too short.' },
    {
      section: 'by',
      date: '2026-12-20',
      chance: '0.8',
      items50: '9',
      items70: '8',
      items85: '6',
      items95: '4',
    },
    { section: 'backtest', name: '85%', chance: '0.9', forecasts: '221' },
  ])
})
