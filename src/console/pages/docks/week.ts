import type { ResultOf } from '../../../catalog'
import { pluralize } from '../../../kernel/text/text'
import { formatShare } from '../../charts/dock-charts'
import type { ConsolePage } from '../../console-page'
import { addDays, datesOfWeek, formatWeekday, localDate } from '../../facility-dates'
import { type Html, html, number, table } from '../../html'
import { facilityHead } from './facility-head'
import { facilityPath } from './facility-path'

type Report = ResultOf<'facilities.report'>
type Availability = ResultOf<'facilities.availability'>

/** A week of a facility: how much of its open time is booked, by day and by door and hour, and what is still free. */
export const weekPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render({ run, params, query, now }) {
    const { id, code, name, timeZone } = await run('facilities.get', { id: params['code']! })
    const today = localDate(now, timeZone)
    const dates = datesOfWeek(query['date'] || today)
    const [first, last] = [dates[0]!, dates.at(-1)!]
    const report = await run('facilities.report', { id, startDate: first, endDate: last })
    const free = new Map<string, Availability>()
    for (const date of dates) if (date >= today) free.set(date, await run('facilities.availability', { id, date }))
    const here = facilityPath(code)
    return {
      title: `${code} week of ${first}`,
      refreshSeconds: 300,
      body: html`${facilityHead({ code, name }, '/week')}
<div class="bar">
<a class="button quiet" href="${here}/week?date=${addDays(first, -7)}" aria-label="Week before">◀</a>
<form method="get" data-auto><label>Date <input type="date" name="date" value="${query['date'] || today}"></label></form>
<a class="button quiet" href="${here}/week?date=${addDays(first, 7)}" aria-label="Week after">▶</a>
<a class="button quiet" href="${here}/week">This week</a>
</div>
<p>${totals(report)}</p>
${table(
  'Days',
  ['Date', number('Appointments'), number('Pallets'), 'Booked', 'Free starts'],
  report.days.map((day) => renderDay(day, here, free.get(day.date))),
)}
<h2>Doors by the hour</h2>
${hoursOfDoors(report)}
<p class="legend">Percentage of the open time that is booked. Empty: closed. Times in ${timeZone}</p>`,
    }
  },
}

function totals({ totals: { appointments, cancelled, noShows, bookedMinutes, openMinutes } }: Report): string {
  const hours = (minutes: number) => Math.round(minutes / 6) / 10
  return `${pluralize(appointments, 'appointment')}; ${hours(bookedMinutes)} of ${hours(openMinutes)} open hours are booked; ${cancelled} cancelled, ${pluralize(noShows, 'no-show')}.`
}

function renderDay(
  { date, appointments, pallets, utilization }: Report['days'][number],
  here: string,
  free: Availability | undefined,
): Html {
  return html`<tr><th scope="row"><a href="${here}?date=${date}"><time datetime="${date}">${formatWeekday(date)}</time></a></th><td class="number">${appointments}</td><td class="number">${pallets}</td>
<td>${utilization === null ? 'closed' : html`<span class="progress"><progress max="1" value="${utilization}" aria-label="Booked on ${date}"></progress> ${formatShare(utilization)}</span>`}</td>
<td${free && free.slots.length > 0 ? html` class="nowrap"` : ''}>${free === undefined ? '' : freeStarts(free, here)}</td></tr>`
}

function freeStarts({ date, slots, reasons }: Availability, here: string): Html | string {
  if (slots.length === 0) return reasons[0]?.message ?? 'none'
  const starts = new Set(slots.map(({ startTime }) => startTime)).size
  return html`<a href="${here}/availability?date=${date}">${starts}, from ${slots[0]!.localTime}<span class="hidden"> on ${date}</span></a>`
}

function hoursOfDoors({ doors }: Report): Html {
  const hours = [...new Set(doors.flatMap((door) => door.hours.map(({ hour }) => hour)))].sort((a, b) => a - b)
  return table(
    'Doors by the hour',
    ['Door', ...hours.map((hour) => String(hour).padStart(2, '0'))],
    doors.map(
      (door) =>
        html`<tr><th scope="row" class="nowrap">${door.name}</th>${hours.map((hour) => {
          const share = door.hours.find((entry) => entry.hour === hour)?.utilization ?? null
          return share === null
            ? html`<td></td>`
            : html`<td class="share-${level(share)}">${Math.round(share * 100)}</td>`
        })}</tr>`,
    ),
  )
}

/** One of five shades, from 0 to 4. */
function level(share: number): number {
  return Math.min(4, Math.ceil(share * 4))
}
