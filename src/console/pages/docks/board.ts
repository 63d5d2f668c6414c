import { assetUrl } from '../../assets'
import { type Board, extentOf, renderHours, renderParts, shapeOf, versionOf } from '../../board/board-view'
import type { ConsolePage } from '../../console-page'
import { hasDockRole } from '../../dock-roles'
import { addDays } from '../../facility-dates'
import { inputs } from '../../forms/schema-inputs'
import { type Html, html, raw } from '../../html'
import { facilityPath } from './facility-path'

/** The day of a facility: doors as rows, time as columns. */
export const boardPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render({ run, params, query, actorFor }) {
    const { date } = query
    const board = await run('facilities.board', { id: params['code']!, ...(date ? { date } : {}) })
    const parts = await renderParts(board)
    return {
      title: `${board.facilityCode} ${board.date}`,
      refreshSeconds: 30,
      styles: ['board.css'],
      body: html`<h1>${board.facilityCode} ${board.facilityName}</h1>
${toolbar(board, { mayBook: hasDockRole({ actorFor }, 'clerk'), maySetUp: hasDockRole({ actorFor }, 'manager') })}
${raw(parts.get('board-summary')!)}
${timeline(board, parts, liveAddress(board, { isToday: !date, version: versionOf(board, parts) }))}
<p class="legend"><span>▲ pickup</span> <span>▼ delivery</span> <span>Shaded: closed or on a break</span> <span>Times in ${board.timeZone}</span></p>
${list(board, parts)}`,
    }
  },
}

function liveAddress(board: Board, { isToday, version }: { isToday: boolean; version: string }): string {
  const query = new URLSearchParams({ ...(isToday ? {} : { date: board.date }), version })
  return facilityPath(board.facilityId, `/live?${query}`)
}

function toolbar({ facilityCode, date }: Board, { mayBook, maySetUp }: { mayBook: boolean; maySetUp: boolean }): Html {
  const here = facilityPath(facilityCode)
  return html`<div class="bar">
<a class="button quiet" href="${here}?date=${addDays(date, -1)}" aria-label="Day before">◀</a>
<form method="get" action="${here}" data-auto>${inputs('facilities.board', ['date'], { values: { date }, inRow: true })}</form>
<a class="button quiet" href="${here}?date=${addDays(date, 1)}" aria-label="Day after">▶</a>
<a class="button quiet" href="${here}">Today</a>
${mayBook ? html`<a class="button" href="${here}/book?date=${date}" data-dialog data-book>Book</a>` : ''}
<a class="button quiet" href="${here}/availability?date=${date}">Free slots</a>
<a class="button quiet" href="${here}/week?date=${date}">Week</a>
<a class="button quiet" href="${here}/waitlist">Waitlist</a>
<a class="button quiet" href="${here}/yard">Yard</a>
${maySetUp ? html`<a class="button quiet" href="${here}/import">Import</a> <a class="button quiet" href="${here}/gate-links">Gate links</a> <a class="button quiet" href="${here}/settings">Settings</a>` : ''}
</div>`
}

/** A longer day is drawn wider than a usual screen, so that references can be read. */
const MAX_HOURS = 13

function timeline(board: Board, parts: ReadonlyMap<string, string>, live: string): Html {
  const { from, to } = extentOf(board)
  const isLong = to - from > MAX_HOURS * 3_600_000
  return html`<div class="scroll board" tabindex="0" role="region" aria-label="Board"><table id="board"${isLong ? html` class="long"` : ''} data-live="${live}" data-shape="${shapeOf(board)}" data-from="${from}" data-to="${to}">
<caption>Doors of ${board.facilityCode} on ${board.date}</caption>
<thead><tr><th scope="col">Door</th><th scope="col"><span class="hidden">Time</span>${renderHours(board)}</th></tr></thead>
<tbody>${board.doors.map(({ id }) => raw(parts.get(`door-${id}`)!))}</tbody>
</table></div>
<script type="module" src="${assetUrl('board.js')}"></script>`
}

function list(board: Board, parts: ReadonlyMap<string, string>): Html {
  return html`<h2>Appointments</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Appointments"><table>
<caption>Appointments</caption>
<thead><tr>${['Door', 'Time', 'Type', 'Reference', 'Carrier', 'Status'].map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
${board.doors.map(({ id }) => raw(parts.get(`list-${id}`)!))}
</table></div>`
}
