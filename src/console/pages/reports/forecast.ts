import type { ResultOf } from '../../../catalog'
import {
  CALIBRATION_CHART,
  DATES_CHART,
  drawCalibration,
  drawDates,
  nameAmounts,
  nameFarDate,
} from '../../../kernel/text/forecast-charts'
import { pluralize } from '../../../kernel/text/text'
import { empty, pageHead } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { inputs } from '../../forms/schema-inputs'
import { type Html, html, raw, table } from '../../html'
import { itemPath } from '../item-path'
import { reportLinks } from './report-links'

type Forecast = ResultOf<'reports.forecast'>
type Row = Forecast['work'][number]

const HERE = '/console/reports/forecast'

/** When the features with a priority, one feature or the next items are done, and how often such forecasts were right. */
export const forecastPage: ConsolePage = {
  section: 'reports',
  access: 'workspace',
  async render({ run, query }) {
    const { feature, items = '', by = '', focus = '' } = query
    const { designated } = await run('priorities.get', {})
    const count = Number(items) || undefined
    const featureIds = count === undefined && feature !== undefined ? [Number(feature)] : []
    const hasWork = count !== undefined || featureIds.length > 0 || designated.length > 0
    const input = {
      items: count,
      featureIds,
      by: by || undefined,
      focus: Number(focus) || 100,
      explain: true,
      backtest: true,
    }
    return {
      title: 'Forecast',
      styles: ['reports.css'],
      body: html`${pageHead({ title: 'Forecast', actions: html`<button type="button" class="quiet" data-print>Print</button>` })}
${reportLinks(HERE)}
<form class="bar" method="get">${feature === undefined ? '' : html`<input type="hidden" name="feature" value="${feature}">`}${inputs(
        'reports.forecast',
        [
          { name: 'items', label: 'The next items' },
          { name: 'by', label: 'By', attributes: { type: 'date' } },
          { name: 'focus', label: 'Percentage of the pace' },
        ],
        { values: { items, by, focus }, inRow: true },
      )}<button type="submit" class="quiet">Show</button></form>
${hasWork ? whole(await run('reports.forecast', input)) : empty('No feature has a priority yet. Choose some, or enter a number of items.', html`<a class="button" href="/console/reports/priorities">Choose features</a>`)}`,
    }
  },
}

function whole(forecast: Forecast): Html {
  const { work, by, missing, notes, explanation, record, backtest } = forecast
  const dates = drawDates(forecast)
  const calibration = drawCalibration(forecast)
  return html`${missing.map((text) => html`<p>${text}</p>`)}${sentence(forecast)}
${table(
  'Dates',
  ['Work', 'Left', '50%', '70%', '85%', '95%', ...(by === null ? [] : [`By ${by.date}`])],
  work.map((row) => rowOf(row, forecast)),
)}
${notes.map((text) => html`<p class="soft">${text}</p>`)}
<div class="charts">
${dates === '' ? '' : html`<section><h2>${DATES_CHART.title}</h2><figure>${raw(dates)}<figcaption>${DATES_CHART.caption}</figcaption></figure></section>`}
${calibration === '' ? '' : html`<section><h2>${CALIBRATION_CHART.title}</h2><figure>${raw(calibration)}<figcaption>${CALIBRATION_CHART.caption}</figcaption></figure></section>`}
</div>
${record === null ? '' : html`<p class="soft">From ${pluralize(record.items, 'finished item')} in ${pluralize(record.weeks, 'week')}${backtest === null ? '' : html`; in ${pluralize(backtest.forecasts, 'past forecast')} of ${nameAmounts(backtest)}, dates of 85% came true ${Math.round((backtest.right.find(({ percent }) => percent === 85)?.share ?? 0) * 100)}% of the time`}.</p>`}
${explanation.length === 0 ? '' : html`<details><summary>How the dates were made</summary><ul>${explanation.map((text) => html`<li>${text}</li>`)}</ul></details>`}`
}

/** What most readers came for, in words. */
function sentence({ work, by, asOf }: Forecast): Html {
  const finish = work.findLast((row) => row.finish !== null)?.finish ?? null
  if (finish === null) return html``
  const said = (date: string | null) => (date === null ? nameFarDate({ asOf }) : `by ${date}`)
  const bySentence =
    by === null
      ? ''
      : html` By ${by.date}, at least ${pluralize(by.items.p50, 'item')} will be finished with a chance of 50%, ${by.items.p85} with 85%, and ${by.items.p95} with 95%.`
  return html`<p>${work.length > 1 ? 'All of it' : 'It'} will be finished ${said(finish.p85)} with a chance of 85%, and ${said(finish.p50)} with 50%.${bySentence}</p>`
}

function rowOf({ id, reference, title, items, points, finish, chance }: Row, { by, asOf }: Forecast): Html {
  const dates = (['p50', 'p70', 'p85', 'p95'] as const).map((percent) =>
    finish === null ? '' : (finish[percent] ?? nameFarDate({ asOf })),
  )
  const left = `${pluralize(items, 'item')}${points === null ? '' : `, ${pluralize(points, 'point')}`}`
  return html`<tr><th scope="row">${id === null ? 'The next items' : html`<a href="${itemPath(id)}">${title}</a> <span class="soft">${reference}</span>`}</th><td>${left}</td>${dates.map((date) => html`<td>${date}</td>`)}${by === null ? '' : html`<td>${chance === null ? '' : `${Math.round(chance * 100)}%`}</td>`}</tr>`
}
