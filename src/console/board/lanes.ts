import { shape } from '../components/badge'
import { type Html, html } from '../html'
import { appointmentPath } from '../pages/docks/facility-path'
import { across, type Board, type BoardAppointment, type Door, type Extent, percent } from './extent'
import { facetsOf, lookOf, wordsOf } from './facets'

const HOUR_MS = 3_600_000

/** The hours above the lanes. */
export function renderHours(board: Board, extent: Extent): Html {
  const hours = board.hours.filter(({ at }) => Date.parse(at) >= extent.from && Date.parse(at) < extent.to)
  return html`<svg class="hours" width="100%" height="24" aria-hidden="true">${hours.map(({ at, clock }) => html`<text x="${percent(Date.parse(at), extent)}" y="16">${clock}</text>`)}</svg>`
}

/** The current time through all lanes, however tall they are. A script moves it. */
export function renderNow(board: Board, extent: Extent): Html {
  const now = Date.parse(board.generatedAt)
  const x = percent(now, extent)
  const isShown = now >= extent.from && now < extent.to
  return html`<svg class="now" aria-hidden="true">${isShown ? html`<line x1="${x}" x2="${x}" y1="0" y2="100%"/>` : ''}</svg>`
}

/** A door with what is booked and held there. */
export function renderLane(door: Door, extent: Extent): Html {
  const hours = Math.round((extent.to - extent.from) / HOUR_MS)
  const lines = Array.from({ length: hours - 1 }, (_, index) => percent(extent.from + (index + 1) * HOUR_MS, extent))
  return html`<tr id="door-${door.id}"><th scope="row"><span title="${door.name}">${door.name}${door.active ? '' : ' (off)'}</span></th>
<td><svg class="lane" width="100%" height="44" data-door="${door.name}" data-id="${door.id}">
<rect class="shut" width="100%" height="100%"/>
${door.open.map(({ from, to }) => {
  const place = across(from, to, extent)
  return place === null ? '' : html`<rect class="open" x="${place.x}" width="${place.width}" height="100%"/>`
})}
${lines.map((x) => html`<line class="hour" x1="${x}" x2="${x}" y1="0" y2="100%"/>`)}
${door.holds.map((hold) => {
  const place = across(hold.startTime, hold.endTime, extent)
  const whom = hold.carrierName === null ? '' : ` for ${hold.carrierName}`
  return place === null
    ? ''
    : html`<foreignObject x="${place.x}" width="${place.width}" height="100%"><div class="load held" title="${hold.localStart} to ${hold.localEnd}, held${whom}"><span class="ref">held</span><span class="who">${hold.carrierName ?? ''}</span></div></foreignObject>`
})}
${door.appointments.map((appointment) => renderBlock(appointment, door, extent))}
</svg></td></tr>`
}

/**
 * What a block says in full, for those who hear it, and on pointing and focus. It begins with what the block shows, so that who speaks to
 * the browser can say that.
 */
function describeBlock(appointment: BoardAppointment, door: Door): string {
  const { type, localStart, localEnd, carrierName, referenceNumber } = appointment
  const rest = [wordsOf(appointment), type, `${localStart} to ${localEnd}`, door.name]
  return `${referenceNumber} ${carrierName}, ${rest.join(', ')}`
}

/** The style shows the end of a reference that is too long: those of a day often begin with the same digits. */
function renderBlock(appointment: BoardAppointment, door: Door, extent: Extent): Html | '' {
  const place = across(appointment.startTime, appointment.endTime, extent)
  if (place === null) return ''
  const { id, type, startTime, endTime, carrierName, referenceNumber } = appointment
  const look = lookOf(appointment)
  return html`<foreignObject x="${place.x}" width="${place.width}" height="100%"><a id="load-${id}" class="load ${look.tone}" href="${appointmentPath(id)}" data-dialog tabindex="-1" data-start="${startTime}" data-end="${endTime}" data-is="${facetsOf(appointment).join(' ')}" aria-label="${describeBlock(appointment, door)}"><span class="ref"><bdi>${referenceNumber}</bdi></span><span class="who">${shape(look.shape)}${ARROWS[type]} ${carrierName}</span></a></foreignObject>`
}

export const ARROWS = { pickup: '▲', delivery: '▼' } as const
