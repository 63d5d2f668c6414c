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
  'items50',
  'items70',
  'items85',
  'items95',
  'forecasts',
] as const

type Row = { section: string } & Partial<Record<(typeof COLUMNS)[number], Cell>>

/** One table: the work, why it has no dates, what is finished by a date, the curve of the chart, and how often past forecasts were right. */
export function renderForecastCsv({ work, missing, by, curve, backtest }: Forecast): string {
  const rows: Row[] = [
    ...work.map(({ title, finish, growth: _, ...row }) => ({ section: 'work', name: title, ...row, ...finish })),
    ...missing.map((name) => ({ section: 'missing', name })),
    ...(by === null ? [] : [{ section: 'by', date: by.date, chance: by.chance, ...itemsOf(by.items) }]),
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

/** Numbers of items, which have columns of their own beside the dates. */
function itemsOf({ p50, p70, p85, p95 }: NonNullable<Forecast['by']>['items']) {
  return { items50: p50, items70: p70, items85: p85, items95: p95 }
}
