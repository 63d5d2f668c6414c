import { assetUrl, loadAssets } from '../../assets'
import { facilityAttention } from '../../attention/dock-attention'
import { renderList } from '../../board/board-list'
import { type BoardViewName, boardViews, shapeOf, versionOf } from '../../board/board-views'
import { type Board, extentOf, widthClassOf } from '../../board/extent'
import { facets } from '../../board/facets'
import { findTrucks } from '../../board/found-trucks'
import { renderGate } from '../../board/gate-view'
import { renderHours, renderNow } from '../../board/lanes'
import { deadBand, liveState } from '../../board/live-state'
import { renderWall } from '../../board/wall-view'
import { attention } from '../../components/attention'
import { menu } from '../../components/menu'
import type { ConsolePage, PageContent, PageRequest } from '../../console-page'
import { addDays, formatLocal } from '../../facility-dates'
import { inputs } from '../../forms/schema-inputs'
import { type Html, html, raw } from '../../html'
import { facilityHead } from './facility-head'
import { facilityPath } from './facility-path'

/** The day of a facility: doors as rows, time as columns. `?wall` is for a screen that no one touches, `?gate` for the office at the gate. */
export const boardPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render(request) {
    const { run, params, query } = request
    const { date } = query
    const board = await run('facilities.board', { id: params['code']!, ...(date ? { date } : {}) })
    const name = query['wall'] !== undefined ? 'wall' : query['gate'] !== undefined ? 'gate' : 'day'
    const parts = await boardViews[name].renderParts(board)
    const shown: Shown = { board, parts, live: liveAttributes(board, name, parts, !date) }
    const content =
      name === 'wall' ? wall(shown) : name === 'gate' ? await gate(request, shown) : await day(request, shown)
    return {
      title: `${board.facilityCode} ${board.date}`,
      refreshSeconds: 30,
      styles: ['board/board.css'],
      ...content,
      body: html`${deadBand(request.url)}${content.body}<script type="module" src="${assetUrl('board/board.js')}"></script>`,
    }
  },
}

interface Shown {
  board: Board
  parts: ReadonlyMap<string, string>
  /** What the script needs to keep it up to date. */
  live: Html
}

type Content = Pick<PageContent, 'body' | 'bodyClass'>

function liveAttributes(board: Board, name: BoardViewName, parts: ReadonlyMap<string, string>, isToday: boolean): Html {
  const shape = shapeOf(board, boardViews[name], parts)
  const query = new URLSearchParams({ view: name, ...(isToday ? {} : { date: board.date }) })
  const address = facilityPath(board.facilityId, `/live?${query}`)
  return html` data-live="${address}" data-version="${versionOf(shape, parts)}" data-shape="${shape}" data-assets="${loadAssets().version}" data-zone="${board.timeZone}"`
}

function wall({ board, parts, live }: Shown): Content {
  return { bodyClass: 'wall', body: renderWall(board, parts, live) }
}

async function gate(request: PageRequest, { board, parts, live }: Shown): Promise<Content> {
  const here = facilityPath(board.facilityCode)
  const find = request.query['find']?.trim().slice(0, 100)
  const head = html`<div class="head"><h1>${board.facilityCode} ${board.facilityName}: gate</h1>
<div class="bar">${liveState(board)} <a class="button quiet" href="${here}">Board</a></div></div>`
  const found = find ? await findTrucks(request, find, board, `${here}?gate`) : ''
  return { bodyClass: 'at-gate', body: renderGate(parts, { live, head, found }) }
}

async function day(request: PageRequest, { board, parts, live }: Shown): Promise<Content> {
  const { may, query } = request
  const rights = { mayBook: await may('appointments.book'), maySetUp: await may('facilities.update') }
  const isGate = await may('appointments.check-in')
  const facility = { id: board.facilityId, code: board.facilityCode, timeZone: board.timeZone }
  const waiting = query['date'] ? [] : await facilityAttention(request, facility, { showsTrucks: true, ofKind: 2 })
  return {
    body: html`${facilityHead({ code: board.facilityCode, name: board.facilityName }, '', html`${liveState(board)} ${otherViews(board, { ...rights, isGate })}`)}
<p class="printed">${board.facilityCode} ${board.facilityName}, ${longDate(board.date)}. As of <span id="printed">${formatLocal(board.generatedAt, board.timeZone)}</span> (${board.timeZone}).</p>
${toolbar(board, rights.mayBook)}
${waiting.length === 0 ? '' : attention(waiting)}
${board.closure === null ? '' : html`<p class="notice">${board.closure}</p>`}
<div id="shown" class="${onlyClass(query['only'])}"><div class="bar filter"><label>Filter <input type="search" id="filter" placeholder="Reference, carrier, state or door" autocomplete="off" spellcheck="false"></label>${raw(parts.get('board-summary')!)}</div>
${timeline(board, parts, html`${live}${rights.mayBook ? html` data-moves="${board.date}"` : ''}`)}
${rights.mayBook || rights.maySetUp ? html`<template id="slot-menu">${slotMenu(board, rights)}</template>` : ''}
<p class="legend"><span>▲ pickup</span> <span>▼ delivery</span> <span>Shaded: closed or on a break</span> <span>Times in ${board.timeZone}</span> <span class="keys">Arrow keys: from block to block. <kbd>Enter</kbd> opens it, <kbd>m</kbd> or a right click its menu${rights.mayBook ? '. Drag to move' : ''}</span></p>
${renderList(parts, raw)}</div>`,
  }
}

/** The style lets others fade; the script changes it without loading the page. */
function onlyClass(only: string | undefined): string {
  return only !== undefined && Object.hasOwn(facets, only) ? `only-${only}` : ''
}

function toolbar({ facilityCode, date }: Board, mayBook: boolean): Html {
  const here = facilityPath(facilityCode)
  return html`<div class="bar dates">
<a class="button quiet" href="${here}?date=${addDays(date, -1)}" aria-label="Day before">◀</a>
<form method="get" action="${here}" data-auto>${inputs('facilities.board', ['date'], { values: { date }, inRow: true })}</form>
<a class="button quiet" href="${here}?date=${addDays(date, 1)}" aria-label="Day after">▶</a>
<a class="button quiet" href="${here}">Today</a>
${mayBook ? html`<a class="button" href="${here}/book?date=${date}" data-dialog data-book>Book</a>` : ''}
<a class="button quiet" href="${here}/availability?date=${date}">Free slots</a>
</div>`
}

function otherViews({ facilityCode }: Board, { isGate, maySetUp }: { isGate: boolean; maySetUp: boolean }): Html {
  const here = facilityPath(facilityCode)
  const entry = (page: string, text: string) => html`<a href="${here}${page}">${text}</a>`
  return menu('Views', [
    entry('?wall', 'Wall'),
    ...(isGate ? [entry('?gate', 'Gate')] : []),
    ...(maySetUp ? [html`<a href="${here}/screens" data-dialog>Screens</a>`, entry('/import', 'Import')] : []),
    html`<button type="button" data-print>Print</button>`,
  ])
}

/** What a click on a free place offers. The script adds the time and the door. */
function slotMenu({ facilityCode, date }: Board, { mayBook, maySetUp }: { mayBook: boolean; maySetUp: boolean }): Html {
  const here = facilityPath(facilityCode)
  const entry = (page: string, text: string) => html`<a href="${here}${page}" data-dialog>${text}</a>`
  return html`${mayBook ? html`${entry(`/book?date=${date}`, 'Book')}${entry(`/slot?do=hold&date=${date}`, 'Hold')}` : ''}${maySetUp ? entry(`/slot?do=block&date=${date}`, 'Block') : ''}`
}

function timeline(board: Board, parts: ReadonlyMap<string, string>, attributes: Html): Html {
  const extent = extentOf(board)
  return html`<div class="scroll board" tabindex="0" role="region" aria-label="Board"><div class="sheet ${widthClassOf(board, extent)}" id="board"${attributes} data-from="${extent.from}" data-to="${extent.to}"><table>
<caption>Doors of ${board.facilityCode} on ${board.date}</caption>
<thead><tr><th scope="col">Door</th><th scope="col"><span class="hidden">Time</span>${renderHours(board, extent)}</th></tr></thead>
<tbody>${board.doors.map(({ id }) => raw(parts.get(`door-${id}`)!))}</tbody>
</table>${renderNow(board, extent)}</div></div>`
}

/** Such as `Monday, 1 March 2027`. */
function longDate(date: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(date))
}
