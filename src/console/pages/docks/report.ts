import type { ResultOf } from '../../../catalog'
import { nameChange } from '../../../docks'
import { bars } from '../../charts/bars'
import { formatShare, punctualityChart, utilizationChart } from '../../charts/dock-charts'
import { empty } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { addDays, formatMinutes, localDate } from '../../facility-dates'
import { inputs } from '../../forms/schema-inputs'
import { type Html, html, number, table } from '../../html'
import { facilityHead } from './facility-head'
import { facilityPath } from './facility-path'

type Report = ResultOf<'facilities.report'>
type Spread = Report['waitMinutes']

/** More carriers than these are in the table alone. */
const MAX_BARS = 12
const DEFAULT_DAYS = 27

/** How the docks of a facility were used: doors, punctuality, times on the site, and each carrier. */
export const dockReportPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render({ run, params, query, now }) {
    const facility = await run('facilities.get', { id: params['code']! })
    const { id, code, timeZone } = facility
    const today = localDate(now, timeZone)
    const startDate = query['startDate'] || addDays(query['endDate'] || today, -DEFAULT_DAYS)
    const report = await run('facilities.report', { id, startDate, endDate: query['endDate'] || today })
    const print = html`<button type="button" class="quiet" data-print>Print</button>`
    return {
      title: `Report of ${code}`,
      styles: ['reports.css'],
      body: html`${facilityHead(facility, '/report', print)}
<form class="bar" method="get" action="${facilityPath(code, '/report')}">
${inputs('facilities.report', ['startDate', 'endDate'], { values: report, inRow: true })}
<button type="submit">Show</button></form>
${report.totals.appointments + report.totals.cancelled === 0 && report.yard.trailers === 0 ? empty('Nothing was booked on these dates.') : whole(report)}
<p class="legend">${report.startDate} to ${report.endDate}. Times in ${timeZone}</p>`,
    }
  },
}

function whole(report: Report): Html {
  const { carriers, arrivals } = report
  const detained = carriers.filter(({ detentionMinutes }) => detentionMinutes > 0)
  return html`${figures(report)}
<div class="charts">
<section><h2>How full are the doors?</h2>${utilizationChart(report.days)}</section>
<section><h2>Do the trucks come on time?</h2>${arrivals.early + arrivals.onTime + arrivals.late === 0 ? html`<p>No arrival was recorded.</p>` : punctualityChart(carriers.slice(0, MAX_BARS))}</section>
<section><h2>How long do the trucks stay?</h2>${times(report)}</section>
<section><h2>Who stays too long?</h2>${detained.length === 0 ? html`<p>No truck stayed beyond the free time.</p>` : detention(detained)}</section>
</div>
<h2>Carriers</h2>${carrierTable(carriers)}
${report.refused.length === 0 ? '' : html`<h2>Requests without a slot</h2>${refusedTable(report)}`}
${report.reasons.length === 0 ? '' : html`<h2>Reasons of changes</h2>${reasonTable(report)}`}
${report.yard.trailers === 0 ? '' : html`<h2>Yard</h2>${yardTable(report)}`}`
}

function figures({ totals, arrivals, dwellMinutes, detention: { detentionMinutes, detained } }: Report): Html {
  const rows: [string, string | number | null, string][] = [
    ['Appointments', totals.appointments, `${totals.cancelled} cancelled, ${totals.noShows} did not come`],
    ['Use of the doors', formatShare(totals.utilization), 'of the open time is booked'],
    ['On time', formatShare(arrivals.onTimeShare), `${arrivals.late} were late`],
    ['On the site', minutes(dwellMinutes.median), 'half of the trucks stayed at most that'],
    ['Detention', minutes(detentionMinutes), `of ${detained} trucks`],
  ]
  return html`<dl class="figures">${rows.map(([name, value, about]) => (value === null ? '' : html`<div><dt>${name}</dt><dd>${value}<small>${about}</small></dd></div>`))}</dl>`
}

/** Each time of a visit: what half of the trucks, and nine of ten, did not exceed. */
function times({ waitMinutes, turnMinutes, dwellMinutes }: Report): Html {
  const spreads: [string, Spread][] = [
    ['Wait for a door', waitMinutes],
    ['At the door', turnMinutes],
    ['On the site', dwellMinutes],
  ]
  const known = spreads.filter(([, { count }]) => count > 0)
  if (known.length === 0) return html`<p>No stay was recorded.</p>`
  return bars(
    'Minutes',
    known.flatMap(([name, { median, p90 }]) => [
      { text: `${name}: half of them`, value: median!, shown: minutes(median)! },
      { text: `${name}: nine of ten`, value: p90!, shown: minutes(p90)! },
    ]),
  )
}

function detention(carriers: Report['carriers']): Html {
  const longest = carriers.toSorted((a, b) => b.detentionMinutes - a.detentionMinutes).slice(0, MAX_BARS)
  return bars(
    'Detention',
    longest.map(({ name, detentionMinutes, detained }) => ({
      text: name,
      value: detentionMinutes,
      shown: `${minutes(detentionMinutes)}, ${detained}`,
    })),
  )
}

const cell = (value: string | number | null) => html`<td class="number">${value ?? ''}</td>`

function carrierTable(carriers: Report['carriers']): Html {
  const headings = ['Appointments', 'Pallets', 'Cancelled', 'No-shows', 'Early', 'On time', 'Late', 'On time, share']
  return table(
    'Carriers',
    ['Carrier', ...[...headings, 'On the site, median', 'Detention'].map(number)],
    carriers.map(
      ({ name, dwellMinutes, ...of }) =>
        html`<tr><th scope="row">${name}</th>${[of.appointments, of.pallets, of.cancelled, of.noShows, of.early, of.onTime, of.late].map(cell)}
${cell(formatShare(of.onTimeShare))}${cell(minutes(dwellMinutes.median))}${cell(minutes(of.detentionMinutes || null))}</tr>`,
    ),
  )
}

function refusedTable({ refused }: Report): Html {
  return table(
    'Requests without a slot',
    ['Why', 'Type', number('Requests')],
    refused.map(({ message, type, count }) => html`<tr><td>${message}</td><td>${type}</td>${cell(count)}</tr>`),
  )
}

function reasonTable({ reasons }: Report): Html {
  return table(
    'Reasons of changes',
    ['Change', 'Reason', number('Appointments')],
    reasons.map(
      ({ change, reason, count }) =>
        html`<tr><td>${nameChange(change)}</td><td>${reason ?? 'without a reason'}</td>${cell(count)}</tr>`,
    ),
  )
}

function yardTable({ yard }: Report): Html {
  return table(
    'Trailers',
    ['Carrier', ...['Trailers', 'Still there', 'Stay in hours, median', 'Detention'].map(number)],
    [{ ...yard, name: 'All' }, ...yard.carriers].map(
      ({ name, trailers, present, dwellHours, detentionMinutes }) =>
        html`<tr><th scope="row">${name}</th>${cell(trailers)}${cell(present)}${cell(dwellHours.median)}${cell(minutes(detentionMinutes || null))}</tr>`,
    ),
  )
}

function minutes(count: number | null): string | null {
  return count === null ? null : formatMinutes(count)
}
