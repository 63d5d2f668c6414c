import type { ResultOf } from '../../../src/catalog'
import { nameAmounts, nameFarDate } from '../../../src/kernel/text/forecast-charts'
import { formatDate } from '../../../src/reports/rules/dates'
import { formatCount, formatNumber, formatPercent, inflect } from '../../../src/reports/rules/wording'

export type Forecast = ResultOf<'reports.forecast'>
export type ForecastRow = Forecast['work'][number]

export function nameOf({ reference, title, items }: ForecastRow): string {
  return reference === null ? formatCount(items, 'item') : `${reference} ${title}`
}

/** `4 Nov 2026`; more than ten years ahead: `after 2036`. */
export function dateText(date: string | null | undefined, { asOf }: Pick<Forecast, 'asOf'>): string {
  if (date === undefined) return '-'
  return date === null ? nameFarDate({ asOf }) : formatDate(date)
}

export function workText({ items, points, growth }: ForecastRow): string {
  return [
    formatCount(items, 'item'),
    points === null ? null : formatCount(points, 'point'),
    growth > 0 ? `grows by ${formatNumber(growth * 10)} for 10 finished` : null,
  ]
    .filter((text) => text !== null)
    .join(', ')
}

/** The record, and how often forecasts from it were right. */
export function basisTexts({ record, backtest, by, work, asOf }: Forecast): [name: string, text: string][] {
  const rightOf = (percent: number) => formatPercent(backtest?.right.find((one) => one.percent === percent)?.share ?? 0)
  const byText = () => {
    if (by === null) return null
    const { p50, p85, p95 } = by.items
    const chance =
      by.chance === null ? '' : `${formatPercent(by.chance)} that ${work.length > 1 ? 'all of it' : 'it'} is finished; `
    return `${chance}with a chance of 50% at least ${p50} ${inflect(p50, 'item', 'items')} by then, with 85% ${p85}, with 95% ${p95}`
  }
  const all: [string, string | null][] = [
    ['As of', formatDate(asOf)],
    [
      'Record',
      record &&
        `${formatCount(record.items, 'item')} in ${formatCount(record.weeks, 'week')}, ${formatNumber(record.itemsPerWeek)} a week lately`,
    ],
    [`By ${by === null ? '' : formatDate(by.date)}`, byText()],
    [
      'Right so far',
      backtest &&
        `dates of 50% came true ${rightOf(50)} of the time, of 85% ${rightOf(85)}, of 95% ${rightOf(95)}, in ${formatCount(backtest.forecasts, 'past forecast')} of ${nameAmounts(backtest)}`,
    ],
  ]
  return all.filter((pair): pair is [string, string] => pair[1] !== null)
}
