import { drawLineChart } from './line-chart'

/** What the charts show of a forecast. Days are `2026-11-29`. */
export interface ChartedForecast {
  asOf: string
  work: readonly { finish: { p50: string | null; p85: string | null; p95: string | null } | null }[]
  curve: readonly { date: string; chance: number }[]
  backtest: { forecasts: number; right: readonly { percent: number; share: number }[] } | null
}

/** The heading and the caption of each chart. */
export const DATES_CHART = {
  title: 'When is it done?',
  caption: 'The chance that all of the work is finished by a date.',
}
export const CALIBRATION_CHART = {
  title: 'How often were past forecasts right?',
  caption: 'Across: what the forecast said. Up: how often it came true. On the dashed line, both agree.',
}

/** In place of a date that is more than ten years ahead: `after 2036`. */
export function nameFarDate({ asOf }: Pick<ChartedForecast, 'asOf'>): string {
  return `after ${Number(asOf.slice(0, 4)) + 10}`
}

/** What past forecasts were made for: `the next 10 to 80 items`. */
export function nameAmounts({ amounts }: { amounts: readonly number[] }): string {
  return `the next ${amounts.length < 2 ? '' : `${amounts[0]} to `}${amounts.at(-1)} items`
}

const MARKED = ['p50', 'p85', 'p95'] as const

/** The chance that all of the work is finished by a date, with the dates of 50, 85 and 95 % marked; empty without dates. */
export function drawDates({ asOf, work, curve }: ChartedForecast): string {
  const last = curve.at(-1)
  if (last === undefined) return ''
  const [from, to] = [Date.parse(asOf), Date.parse(last.date)]
  const place = (date: string) => (to > from ? (Date.parse(date) - from) / (to - from) : 1)
  const finish = work.findLast((row) => row.finish !== null)?.finish
  const marks = MARKED.flatMap((name) => {
    const date = finish?.[name] ?? null
    const reached = curve.find((point) => point.date === date)
    return date === null || !reached ? [] : [{ x: place(date), y: reached.chance, text: `${name.slice(1)}%: ${date}` }]
  })
  return drawLineChart({
    label: `Chance to be finished by a date: ${marks.map(({ text }) => text).join(', ')}`,
    points: [{ x: 0, y: 0 }, ...curve.map(({ date, chance }) => ({ x: place(date), y: chance }))],
    marks,
    below: [
      { x: 0, text: asOf },
      { x: 1, text: last.date },
    ],
  })
}

/** How often past forecasts were right: a line on the diagonal is right as often as it said; empty without past forecasts. */
export function drawCalibration({ backtest }: ChartedForecast): string {
  if (backtest === null) return ''
  const { forecasts, right } = backtest
  const texts = right.map(({ percent, share }) => `${percent}%: ${Math.round(share * 100)}%`)
  return drawLineChart({
    label: `Share of ${forecasts} past forecasts that were finished by the date of each percentage: ${texts.join(', ')}`,
    points: right.map(({ percent, share }) => ({ x: percent / 100, y: share })),
    hasDiagonal: true,
    below: [0, 25, 50, 75, 100].map((percent) => ({ x: percent / 100, text: `${percent}%` })),
  })
}
