import { type Cell, onOneLine, renderCsv } from '../csv'
import type { Forecast } from './forecast-texts'

const COLUMNS = [
  'section',
  'id',
  'reference',
  'name',
  'items',
  'points',
  'p50',
  'p70',
  'p85',
  'p95',
  'chance',
  'date',
  'forecasts',
] as const

type Row = { section: string } & Partial<Record<(typeof COLUMNS)[number], Cell>>

/** One table: the work, what is finished by a date, the curve of the chart, and how often past forecasts were right. */
export function renderForecastCsv({ work, by, curve, backtest }: Forecast): string {
  const rows: Row[] = [
    ...work.map(({ title, finish, growth: _, ...row }) => ({ section: 'work', name: title, ...row, ...finish })),
    ...(by === null ? [] : [{ section: 'by', date: by.date, chance: by.chance, ...by.items }]),
    ...curve.map((point) => ({ section: 'curve', ...point })),
    ...(backtest?.right ?? []).map(({ percent, share }) => ({
      section: 'backtest',
      name: `${percent}%`,
      chance: share,
      forecasts: backtest!.forecasts,
    })),
  ]
  return renderCsv([[...COLUMNS], ...rows.map((row) => COLUMNS.map((name) => onOneLine(row[name] ?? null)))])
}
