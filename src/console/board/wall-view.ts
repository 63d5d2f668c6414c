import { localTime } from '../facility-dates'
import { type Html, html, raw } from '../html'
import { type Board, wallExtentOf } from './extent'
import { countFacets, type Facet, facets } from './facets'
import { renderHours, renderNow } from './lanes'
import { liveState } from './live-state'

const COUNTED: readonly Facet[] = ['late', 'waiting', 'at_door', 'done']

/** Large numbers, for those who pass by. */
export function renderCounters(board: Board): Html {
  const counts = countFacets(board)
  return html`<dl id="board-counters">${COUNTED.map((facet) => {
    const count = counts.get(facet) ?? 0
    return html`<div class="${count === 0 ? 'none' : facet}"><dt>${facets[facet]}</dt><dd>${count}</dd></div>`
  })}</dl>`
}

/** How tall the lanes are, so that all doors are on the screen. */
const SIZES = [8, 12, 16, 20, 25, 30, 35, 40, 50, 60, 80]

/** A screen that no one touches: all doors, a clock and counters. */
export function renderWall(board: Board, parts: ReadonlyMap<string, string>, live: Html): Html {
  const { doors } = board
  const size = SIZES.find((size) => doors.length <= size) ?? SIZES.at(-1)
  const extent = wallExtentOf(board)
  return html`<header class="wall-head"><h1>${board.facilityCode} <span>${board.facilityName}</span></h1>
${raw(parts.get('board-counters')!)}
<p class="clock"><span id="clock">${localTime(board.generatedAt, board.timeZone)}</span>${liveState(board)}</p></header>
<div class="board doors-${size}" id="board"${live} data-from="${extent.from}" data-to="${extent.to}"><div class="sheet"><table>
<caption>Doors of ${board.facilityCode} on ${board.date}</caption>
<thead><tr><th scope="col">Door</th><th scope="col"><span class="hidden">Time</span>${renderHours(board, extent)}</th></tr></thead>
<tbody>${doors.map(({ id }) => raw(parts.get(`door-${id}`)!))}</tbody>
</table>${renderNow(board, extent)}</div></div>`
}
