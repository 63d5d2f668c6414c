import { createHash } from 'node:crypto'
import type { ResultOf } from '../../catalog'
import { formatState } from '../../docks'
import { pluralize } from '../../kernel/text/text'
import { type Html, html } from '../html'
import { appointmentPath } from '../pages/docks/facility-path'

export type Board = ResultOf<'facilities.board'>
type Door = Board['doors'][number]
type Appointment = Door['appointments'][number]

/** What of a day is drawn: from the first to the last open hour, or appointment. */
export interface Extent {
  from: number
  to: number
}

export function extentOf(board: Board): Extent {
  const day = { from: Date.parse(board.from), to: Date.parse(board.to) }
  const starts = board.doors.flatMap(({ open, appointments }) => [
    ...open.map(({ from }) => Date.parse(from)),
    ...appointments.map(({ startTime }) => Date.parse(startTime)),
  ])
  if (starts.length === 0) return day
  const ends = board.doors.flatMap(({ open, appointments }) => [
    ...open.map(({ to }) => Date.parse(to)),
    ...appointments.map(({ endTime }) => Date.parse(endTime)),
  ])
  const [first, last] = [starts.reduce((a, b) => Math.min(a, b)), ends.reduce((a, b) => Math.max(a, b))]
  const hours = board.hours.map(({ at }) => Date.parse(at))
  return {
    from: hours.findLast((hour) => hour <= first) ?? day.from,
    to: hours.find((hour) => hour >= last) ?? day.to,
  }
}

/** The parts of a board that change while it is shown, each with an `id`. */
export async function renderParts(board: Board): Promise<Map<string, string>> {
  const extent = extentOf(board)
  const parts = new Map<string, string>([['board-summary', String(await renderSummary(board))]])
  for (const door of board.doors) {
    parts.set(`door-${door.id}`, String(await renderLane(door, extent)))
    parts.set(`list-${door.id}`, String(await renderList(door)))
  }
  return parts
}

/** What a change of part of the board cannot show: the date, its hours and its doors. */
export function shapeOf(board: Board): string {
  const { from, to } = extentOf(board)
  return [board.date, from, to, ...board.doors.map(({ id }) => id)].join(' ')
}

/** Identifies what a page shows, so that a browser gets what has changed since. */
export function versionOf(board: Board, parts: ReadonlyMap<string, string>): string {
  return createHash('sha256')
    .update([shapeOf(board), ...parts.values()].join('\n'))
    .digest('base64url')
    .slice(0, 16)
}

function renderSummary(board: Board): Html {
  const appointments = board.doors.flatMap((door) => door.appointments)
  const counts = new Map<string, number>()
  for (const appointment of appointments)
    for (const state of [formatState(appointment), ...(appointment.conflict === null ? [] : ['in conflict'])])
      counts.set(state, (counts.get(state) ?? 0) + 1)
  const states = [...counts].map(([state, count]) => `${count} ${state}`)
  return html`<p id="board-summary">${[pluralize(appointments.length, 'appointment'), ...states].join(', ')}.</p>`
}

/** The hours above the lanes, and the line of the current time through all of them. */
export function renderHours(board: Board): Html {
  const extent = extentOf(board)
  const hours = board.hours.filter(({ at }) => Date.parse(at) >= extent.from && Date.parse(at) < extent.to)
  const now = Date.parse(board.generatedAt)
  return html`<svg class="hours" width="100%" height="28" aria-hidden="true">
${hours.map(({ at, clock }) => html`<text x="${percent(Date.parse(at), extent)}" y="20">${clock}</text>`)}
${
  now < extent.from || now >= extent.to
    ? ''
    : html`<line class="now" x1="${percent(now, extent)}" x2="${percent(now, extent)}" y1="0" y2="${28 + board.doors.length * 60}"/>`
}</svg>`
}

function renderLane(door: Door, extent: Extent): Html {
  const across = (from: string, to: string) => {
    const start = Math.max(Date.parse(from), extent.from)
    const width = ((Math.min(Date.parse(to), extent.to) - start) / (extent.to - extent.from)) * 100
    return html`x="${percent(start, extent)}" width="${round(width)}%"`
  }
  const hours = Math.round((extent.to - extent.from) / 3_600_000)
  return html`<tr id="door-${door.id}"><th scope="row">${door.name}${door.active ? '' : ' (off)'}</th>
<td><svg class="lane" width="100%" height="52" data-door="${door.name}">
<rect class="shut" width="100%" height="100%"/>
${door.open.map(({ from, to }) => html`<rect class="open" ${across(from, to)} height="100%"/>`)}
${Array.from({ length: hours - 1 }, (_, index) => html`<line class="hour" x1="${round(((index + 1) / hours) * 100)}%" x2="${round(((index + 1) / hours) * 100)}%" y1="0" y2="52"/>`)}
${door.holds.map(
  ({ startTime, endTime, localStart, localEnd, carrierName }) =>
    html`<svg ${across(startTime, endTime)} height="52"><title>${localStart} to ${localEnd}, held${carrierName === null ? '' : ` for ${carrierName}`}</title><rect class="load held" x="1" y="3" width="100%" height="46"/><text x="6" y="22">held</text><text class="who" x="6" y="40">${carrierName ?? ''}</text></svg>`,
)}
${door.appointments.map((appointment) => renderLoad(appointment, across(appointment.startTime, appointment.endTime)))}
</svg></td></tr>`
}

function renderLoad(appointment: Appointment, across: Html): Html {
  const { id, type, status, step, conflict, startTime, localStart, localEnd, carrierName, referenceNumber } =
    appointment
  const lines = [`${ARROWS[type]} ${referenceNumber}`, `${stateText(appointment)} · ${carrierName}`] as const
  const name = `${lines.join(' ')}, ${type}, ${localStart} to ${localEnd}`
  return html`<a id="load-${id}" href="${appointmentPath(id)}" data-dialog data-start="${startTime}" aria-label="${name}">
<svg ${across} height="52"><rect class="load ${conflict === null ? (step ?? status) : 'conflict'}" x="1" y="3" width="100%" height="46"/>
<text x="6" y="22">${lines[0]}</text>
<text class="who" x="6" y="40">${lines[1]}</text></svg></a>`
}

const ARROWS = { pickup: '▲', delivery: '▼' } as const

function stateText(appointment: Appointment): string {
  const state = formatState(appointment)
  return appointment.conflict === null ? state : `in conflict (${state})`
}

/** The same as a table, for small screens and for readers who do not see the drawing. */
function renderList(door: Door): Html {
  return html`<tbody id="list-${door.id}">${door.appointments.map(
    (appointment) =>
      html`<tr><td class="nowrap">${door.name}</td><td class="nowrap">${appointment.localStart} to ${appointment.localEnd}</td><td>${appointment.type}</td>
<td><a href="${appointmentPath(appointment.id)}" data-dialog>${appointment.referenceNumber}</a></td><td class="wide">${appointment.carrierName}</td><td>${stateText(appointment)}</td></tr>`,
  )}</tbody>`
}

function percent(at: number, { from, to }: Extent): string {
  return `${round(((at - from) / (to - from)) * 100)}%`
}

const round = (value: number) => Math.round(value * 1000) / 1000
