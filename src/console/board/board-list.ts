import { HOUR_MS } from '../../kernel/time'
import { groupBy } from '../../kernel/work/group-by'
import { type Html, html } from '../html'
import { appointmentPath } from '../pages/docks/facility-path'
import type { Board, BoardAppointment, Door } from './extent'
import { facetsOf, stateBadge } from './facets'
import { ARROWS } from './lanes'
import type { PartMemo } from './part-memo'

/** Appointments that start so soon are in the first part of the list, if they are not done. */
const NEXT_MS = 2 * HOUR_MS

export interface ListedAppointment {
  door: Door
  appointment: BoardAppointment
}

/** The appointments of all doors by their start. */
export function listByStart({ doors }: Board): ListedAppointment[] {
  return doors
    .flatMap((door) => door.appointments.map((appointment) => ({ door, appointment })))
    .sort(({ appointment: a }, { appointment: b }) => (`${a.startTime} ${a.id}` < `${b.startTime} ${b.id}` ? -1 : 1))
}

/** Whether somebody has to do with it within two hours, or already has. */
export function isNext({ startTime, endTime, status, step, attention }: BoardAppointment, now: number): boolean {
  if (status !== 'scheduled' || step === 'no_show' || step === 'turned_away') return false
  return attention !== null || step !== null || (Date.parse(endTime) > now && Date.parse(startTime) - now <= NEXT_MS)
}

/** The list in parts, so that a change sends one of them: what is next, then each hour. */
export async function renderListParts(board: Board, memo: PartMemo): Promise<Map<string, string>> {
  const now = Date.parse(board.generatedAt)
  const isToday = Date.parse(board.from) <= now && now < Date.parse(board.to)
  const listed = listByStart(board)
  const isFirst = ({ appointment }: ListedAppointment) => isToday && isNext(appointment, now)
  const byHour = groupBy(listed, ({ appointment }) => hourOf(appointment))
  const draw = (id: string, title: string, rows: readonly ListedAppointment[]) => {
    const input = [title, rows.map(({ door: { name }, appointment }) => [name, appointment])]
    return memo.draw(id, input, () => renderRows(id, title, rows))
  }
  const next = listed.filter(isFirst)
  const title = listed.length === 0 ? 'No appointments on this date.' : next.length === 0 ? '' : 'Next two hours'
  const rest = next.length > 0 && next.length < listed.length ? 'All others' : ''
  const parts = new Map([await draw('list-next', title, next), await draw('list-rest', rest, [])])
  for (const at of hoursOf(board, listed)) {
    const [id, part] = await draw(
      partId(at),
      '',
      (byHour.get(at) ?? []).filter((entry) => !isFirst(entry)),
    )
    parts.set(id, part)
  }
  return parts
}

/** The hours in which an appointment of the board could start. A longer one may have begun on the day before. */
function hoursOf(board: Board, [first]: readonly ListedAppointment[]): number[] {
  const begin = Math.min(Date.parse(board.from), first ? hourOf(first.appointment) : Number.POSITIVE_INFINITY)
  const hours: number[] = []
  for (let at = Math.floor(begin / HOUR_MS) * HOUR_MS; at < Date.parse(board.to); at += HOUR_MS) hours.push(at)
  return hours
}

const hourOf = ({ startTime }: BoardAppointment) => Math.floor(Date.parse(startTime) / HOUR_MS) * HOUR_MS

const partId = (at: number) => `list-${at / HOUR_MS}`

function renderRows(id: string, title: string, rows: readonly ListedAppointment[]): Html {
  return html`<tbody id="${id}">${title && html`<tr class="part"><th colspan="6" scope="rowgroup">${title}</th></tr>`}${rows.map(
    ({ door, appointment }) =>
      html`<tr class="row" data-is="${facetsOf(appointment).join(' ')}"><td class="nowrap">${appointment.localStart} to ${appointment.localEnd}</td><td>${door.name}</td><td><a href="${appointmentPath(appointment.id)}" data-dialog>${appointment.referenceNumber}</a></td><td>${appointment.carrierName}</td><td class="nowrap">${ARROWS[appointment.type]} ${appointment.type}</td><td>${stateBadge(appointment)}</td></tr>`,
  )}</tbody>`
}

/** The list below the drawing: for small screens, and for readers who do not see the drawing. */
export function renderList(parts: ReadonlyMap<string, string>, raw: (text: string) => Html): Html {
  return html`<h2>Appointments</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Appointments"><table id="board-list">
<caption>Appointments by time</caption>
<thead><tr>${['Time', 'Door', 'Reference', 'Carrier', 'Type', 'State'].map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
${[...parts].flatMap(([id, part]) => (id.startsWith('list-') ? [raw(part)] : []))}
</table></div>`
}
