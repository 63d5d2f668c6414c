import { CALIBRATION_CHART, DATES_CHART, drawCalibration, drawDates } from '../../../src/kernel/text/forecast-charts'
import { formatDate } from '../../../src/reports/rules/dates'
import { formatPercent } from '../../../src/reports/rules/wording'
import { basisTexts, dateText, type Forecast, nameOf, workText } from './forecast-texts'
import { escapeHtml, renderPage } from './page'

const TITLE = 'Forecast'

/** A page to forward or print: the dates, the two charts, and how the dates are made. */
export function renderForecastPage(answer: Forecast): string {
  const body = [
    `<h1>${TITLE}, ${escapeHtml(formatDate(answer.asOf))}</h1>`,
    list(answer.missing),
    dates(answer),
    list(answer.notes),
    chart(DATES_CHART, drawDates(answer)),
    chart(CALIBRATION_CHART, (answer.backtest?.right.length ?? 0) > 3 ? drawCalibration(answer) : ''),
    `<h2>How it was made</h2>\n${facts(answer)}`,
    list(answer.explanation),
  ]
  return renderPage(`${TITLE}, ${formatDate(answer.asOf)}`, body.filter(Boolean).join('\n'))
}

function dates(answer: Forecast): string {
  const { work, by } = answer
  const head = ['Work', 'Left', '50%', '70%', '85%', '95%', ...(by === null ? [] : [`By ${formatDate(by.date)}`])]
  const rows = work.map((row) => [
    nameOf(row),
    workText(row),
    ...(['p50', 'p70', 'p85', 'p95'] as const).map((percent) => dateText(row.finish?.[percent], answer)),
    ...(by === null ? [] : [row.chance === null ? '-' : formatPercent(row.chance)]),
  ])
  const cells = rows.map(
    ([name, ...rest]) =>
      `<tr><th scope="row">${escapeHtml(name!)}</th>${rest.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`,
  )
  return `<div class="scroll"><table>\n<thead><tr>${head.map((cell) => `<th scope="col">${escapeHtml(cell)}</th>`).join('')}</tr></thead>\n<tbody>\n${cells.join('\n')}\n</tbody>\n</table></div>`
}

function chart({ title, caption }: typeof DATES_CHART, drawn: string): string {
  return drawn === '' ? '' : `<h2>${title}</h2>\n<figure>${drawn}<figcaption>${caption}</figcaption></figure>`
}

function facts(answer: Forecast): string {
  const rows = basisTexts(answer).map(
    ([name, text]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(text)}</td></tr>`,
  )
  return `<table>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>`
}

function list(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<ul>\n${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('\n')}\n</ul>`
}
