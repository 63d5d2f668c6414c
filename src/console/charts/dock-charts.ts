import type { ResultOf } from '../../catalog'
import { formatWeekday } from '../facility-dates'
import { type Html, html } from '../html'
import { legend, plot } from './plot'

type Report = ResultOf<'facilities.report'>

const MAX_MARKS = 8

/** How much of the open time of each day is booked, in percent. */
export function utilizationChart(days: Report['days']): Html {
  const width = 1 / days.length
  const open = days.filter(({ utilization }) => utilization !== null)
  const percent = (share: number) => Math.round(share * 100)
  const most = Math.max(100, ...open.map(({ utilization }) => percent(utilization!)))
  const every = Math.ceil(days.length / MAX_MARKS)
  return plot({
    label: `Use of the doors by day: ${open.length} open days, the fullest with ${percent(Math.max(0, ...open.map(({ utilization }) => utilization!)))}%`,
    caption: 'Booked part of the open time, by day. Days without a bar are closed or empty.',
    most,
    unit: '%',
    marksBelow: days.flatMap(({ date }, index) =>
      index % every === 0 ? [{ at: (index + 0.5) * width, text: date.slice(5) }] : [],
    ),
    draw: ({ x, y }) =>
      days.map(({ date, utilization, appointments }, index) => {
        const share = percent(utilization ?? 0)
        const said = utilization === null ? 'closed' : `${share}%, ${appointments} appointments`
        return html`<g><title>${formatWeekday(date)}: ${said}</title><rect class="done" x="${x((index + 0.15) * width)}" width="${x(0.7 * width)}" y="${y(share)}" height="${y(0) - y(share)}"/></g>`
      }),
  })
}

/** How many arrivals of each carrier were early, on time and late: a bar with three parts, and their numbers as text. */
export function punctualityChart(carriers: Report['carriers']): Html {
  const arrived = carriers.filter(({ early, onTime, late }) => early + onTime + late > 0)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Arrivals by carrier"><table class="bars"><caption>Arrivals by carrier</caption><tbody>${arrived.map(
    ({ name, ...of }) => {
      const all = of.early + of.onTime + of.late
      const share = (count: number) => `${Math.round((count / all) * 1000) / 10}%`
      const parts = [
        { className: 'before', from: 0, count: of.early },
        { className: 'done', from: of.early, count: of.onTime },
        { className: 'late', from: of.early + of.onTime, count: of.late },
      ]
      return html`<tr><th scope="row">${name}</th><td><svg width="100%" height="14" aria-hidden="true">${parts.map(({ className, from, count }) => html`<rect class="${className}" x="${share(from)}" width="${share(count)}" height="14"/>`)}</svg></td>
<td class="number">${formatShare(of.onTimeShare)}</td></tr>`
    },
  )}</tbody></table></div>
<p class="soft">${legend('before', 'early')} ${legend('done', 'on time')} ${legend('late', 'late')}</p>`
}

/** From 0 to 1 as percent; null without a value. */
export function formatShare(share: number | null): string | null {
  return share === null ? null : `${Math.round(share * 100)}%`
}
