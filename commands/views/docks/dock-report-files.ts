import { nameChange } from '../../../src/docks/visits/rules/appointment-steps'
import { type Cell, onOneLine, renderCsv } from '../csv'
import { escapeHtml, renderPage } from '../reports/page'
import {
  type DockReport,
  detentionText,
  formatHour,
  formatShare,
  listFacts,
  listHours,
  minutesText,
  NO_REASON,
  titleOf,
} from './dock-report'

const COLUMNS = [
  'section',
  'name',
  'hour',
  'appointments',
  'completed',
  'cancelled',
  'noShows',
  'turnedAway',
  'pallets',
  'openMinutes',
  'bookedMinutes',
  'utilization',
  'early',
  'onTime',
  'late',
  'onTimeShare',
  'noShowShare',
  'count',
  'median',
  'p90',
  'max',
  'type',
  'reason',
  'change',
  'detained',
  'detentionMinutes',
  'trailers',
  'present',
] as const

type Row = { section: string } & { [Name in (typeof COLUMNS)[number]]?: Cell }

/** One table with a line for each figure. Sections have the names of the JSON fields. */
export function renderDockReportCsv(report: DockReport): string {
  const { arrivals } = report
  const rows: Row[] = [
    { section: 'totals', ...report.totals },
    ...report.days.map(({ date, ...figures }) => ({ section: 'days', name: date, ...figures })),
    ...report.doors.map(({ hours, id, ...figures }) => ({ section: 'doors', ...figures })),
    ...report.doors.flatMap(({ name, hours }) => hours.map((usage) => ({ section: 'hours', name, ...usage }))),
    ...report.carriers.map(({ dwellMinutes, ...figures }) => ({ section: 'carriers', ...figures, ...dwellMinutes })),
    { section: 'arrivals', ...arrivals, ...arrivals.minutesAfterStart },
    ...(['waitMinutes', 'turnMinutes', 'dwellMinutes', 'leadHours'] as const).map((section) => ({
      section,
      ...report[section],
    })),
    { section: 'detention', ...report.detention },
    ...[{ name: null, ...report.yard }, ...report.yard.carriers].map(({ dwellHours, name, ...figures }) => ({
      section: 'yard',
      name,
      ...figures,
      ...dwellHours,
    })),
    ...report.refused.map(({ message, ...entry }) => ({ section: 'refused', ...entry })),
    ...report.reasons.map((entry) => ({ section: 'reasons', ...entry })),
  ]
  return renderCsv([[...COLUMNS], ...rows.map((row) => COLUMNS.map((name) => onOneLine(row[name] ?? null)))])
}

/** A page to forward or print: figures, the use by date, door and hour, carriers and refused requests. */
export function renderDockReportPage(report: DockReport): string {
  const title = titleOf(report)
  const overview = listFacts(report).flatMap(([name, text]) =>
    text === null ? [] : `<tr><th scope="row">${name}</th><td>${escapeHtml(text)}</td></tr>`,
  )
  const parts = [
    `<h1>${escapeHtml(title)}</h1>`,
    `<table>\n<tbody>\n${overview.join('\n')}\n</tbody>\n</table>`,
    drawDays(report),
    drawHours(report),
    section(
      'Carriers',
      [
        'Carrier',
        'Appointments',
        'Not late',
        'Late',
        'No-shows',
        'Turned away',
        'Cancelled',
        'Median dwell',
        'Detention',
      ],
      report.carriers.map((carrier) => [
        carrier.name,
        carrier.appointments,
        formatShare(carrier.onTimeShare),
        carrier.late,
        carrier.noShows,
        carrier.turnedAway,
        carrier.cancelled,
        minutesText(carrier.dwellMinutes.median),
        detentionText(carrier.detentionMinutes),
      ]),
    ),
    section(
      'Trailers in the yard',
      ['Carrier', 'Arrived', 'Still here', 'Median stay', 'Beyond free time', 'Detention'],
      report.yard.carriers.map(({ name, trailers, present, dwellHours, detained, detentionMinutes }) => [
        name,
        trailers,
        present,
        `${dwellHours.median} h`,
        detained,
        detentionText(detentionMinutes),
      ]),
    ),
    section(
      'Requests that got no slot',
      ['Reason', 'Type', 'Requests'],
      report.refused.map(({ message, type, count }) => [message, type, count]),
      2,
    ),
    section(
      'Reasons',
      ['Reason', 'Change', 'Count'],
      report.reasons.map(({ change, reason, count }) => [reason ?? NO_REASON, nameChange(change), count]),
      2,
    ),
    `<p class="faint">As of <time datetime="${report.generatedAt}">${asOf(report)}</time> (${escapeHtml(report.timeZone)}). Open time by the present hours of the facility. An appointment counts for the date on which it starts.</p>`,
  ]
  return renderPage(title, parts.filter(Boolean).join('\n'), { wide: true })
}

function asOf({ generatedAt, timeZone }: DockReport): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' })
  return format.format(new Date(generatedAt))
}

const CHART = { width: 960, height: 160 }

/** A bar for each date; the same figures follow as a table. */
function drawDays({ days }: DockReport): string {
  const most = Math.max(1, ...days.map(({ utilization }) => utilization ?? 0))
  const step = CHART.width / Math.max(days.length, 1)
  const bars = days.map(({ date, utilization }, i) => {
    const height = Math.round(((utilization ?? 0) / most) * CHART.height)
    const text = `${date}: ${utilization === null ? 'closed' : formatShare(utilization)}`
    return `<rect x="${(i * step).toFixed(1)}" y="${CHART.height - height}" width="${(step * 0.8).toFixed(1)}" height="${height}" fill="var(--bar)"><title>${text}</title></rect>`
  })
  const rows = days.map((day) => [
    day.date,
    day.utilization === null ? 'closed' : formatShare(day.utilization),
    day.appointments,
    day.completed,
    day.noShows,
    day.pallets,
  ])
  return `<h2>Use by date</h2>
<svg viewBox="0 0 ${CHART.width} ${CHART.height + 2}" role="img" aria-label="Use by date, as in the table" style="width:100%;height:auto">
<line x1="0" x2="${CHART.width}" y1="${CHART.height + 1}" y2="${CHART.height + 1}" stroke="var(--line)"/>
${bars.join('\n')}
</svg>
${table('Use by date', ['Date', 'Use', 'Appointments', 'Completed', 'No-shows', 'Pallets'], rows)}`
}

/** Each door in each hour. The darker the cell, the higher the use, which it also says. */
function drawHours(report: DockReport): string {
  const hours = listHours(report).map(({ hour }) => hour)
  const head = hours.map((hour) => `<th scope="col" class="n">${formatHour(hour)}</th>`).join('')
  const lines = report.doors.map(({ name, hours: used }) => {
    const cells = hours.map((hour) => {
      const share = used.find((entry) => entry.hour === hour)?.utilization ?? null
      if (share === null) return '<td class="n faint">-</td>'
      const color = `color-mix(in srgb,var(--bar) ${Math.round(Math.min(share, 1) * 45)}%,transparent)`
      return `<td class="n" style="background:${color}">${formatShare(share)}</td>`
    })
    return `<tr><th scope="row">${escapeHtml(name)}</th>${cells.join('')}</tr>`
  })
  return `<h2>Use by door and hour</h2>
${scrolling(
  'Use by door and hour',
  `<table>
<thead><tr><th scope="col">Door</th>${head}</tr></thead>
<tbody>
${lines.join('\n')}
</tbody>
</table>`,
)}`
}

/** A table scrolls on a narrow screen, also by keyboard, and the page does not. */
function scrolling(label: string, content: string): string {
  return `<div class="scroll" role="region" aria-label="${label}" tabindex="0">\n${content}\n</div>`
}

/** Nothing if there are no rows. */
function section(...[title, heads, rows, texts]: Parameters<typeof table>): string {
  return rows.length === 0 ? '' : `<h2>${title}</h2>\n${table(title, heads, rows, texts)}`
}

/** @param texts the number of columns at the left that hold texts; the others hold figures. */
function table(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  texts = 1,
): string {
  const figure = (column: number) => (column < texts ? '' : ' class="n"')
  const lines = rows.map(([first, ...others]) => {
    const cells = others.map((value, i) => `<td${figure(i + 1)}>${escapeHtml(String(value))}</td>`)
    return `<tr><th scope="row">${escapeHtml(String(first))}</th>${cells.join('')}</tr>`
  })
  const head = heads.map((name, column) => `<th scope="col"${figure(column)}>${name}</th>`).join('')
  return scrolling(
    label,
    `<table>
<thead><tr>${head}</tr></thead>
<tbody>
${lines.join('\n')}
</tbody>
</table>`,
  )
}
