import { createHash } from 'node:crypto'
import { chips } from '../components/menu'
import { type Html, html } from '../html'
import { facilityPath } from '../pages/docks/facility-path'
import { renderListParts } from './board-list'
import { type Board, type Extent, extentOf, wallExtentOf } from './extent'
import { countAppointments, countFacets, facets } from './facets'
import { renderGateParts } from './gate-view'
import { renderLane } from './lanes'
import { PartMemo } from './part-memo'
import { renderCounters } from './wall-view'

/** A way to show a board. Its parts change while it is shown, each with an `id`. */
export interface BoardView {
  extentOf(board: Board): Extent
  renderParts(board: Board, memo?: PartMemo): Promise<Map<string, string>>
}

const day: BoardView = {
  extentOf,
  async renderParts(board, memo = new PartMemo()) {
    const summary: [string, string] = ['board-summary', String(await renderSummary(board))]
    const lanes = await renderLanes(board, extentOf(board), memo)
    return new Map([summary, ...lanes, ...(await renderListParts(board, memo))])
  },
}

const wall: BoardView = {
  extentOf: wallExtentOf,
  async renderParts(board, memo = new PartMemo()) {
    const counters: [string, string] = ['board-counters', String(await renderCounters(board))]
    return new Map([counters, ...(await renderLanes(board, wallExtentOf(board), memo))])
  },
}

const gate: BoardView = { extentOf, renderParts: renderGateParts }

export const boardViews = { day, wall, gate }
export type BoardViewName = keyof typeof boardViews

/** What a change of part of the board cannot show: the date, its hours, its doors, and which parts there are. */
export function shapeOf(board: Board, view: BoardView, parts: ReadonlyMap<string, string>): string {
  const { from, to } = view.extentOf(board)
  return createHash('sha256')
    .update([board.date, from, to, ...parts.keys()].join(' '))
    .digest('base64url')
    .slice(0, 12)
}

/** Identifies what a page shows, so that a browser gets what has changed since. */
export function versionOf(shape: string, parts: ReadonlyMap<string, string>): string {
  return createHash('sha256')
    .update([shape, ...parts.values()].join('\n'))
    .digest('base64url')
    .slice(0, 16)
}

async function renderLanes(board: Board, extent: Extent, memo: PartMemo): Promise<[string, string][]> {
  const lanes: [string, string][] = []
  for (const door of board.doors)
    lanes.push(await memo.draw(`door-${door.id}`, [door, extent], () => renderLane(door, extent)))
  return lanes
}

/** How many there are of each kind, as links that let the others fade. */
function renderSummary(board: Board): Html {
  const counts = countFacets(board)
  const here = facilityPath(board.facilityCode)
  const hrefOf = (only: string) => `${here}?${new URLSearchParams({ date: board.date, only })}`
  const shown = (Object.keys(facets) as (keyof typeof facets)[]).filter((facet) => counts.has(facet))
  return html`<div id="board-summary"><span class="total">${countAppointments(board)}</span>${chips(
    'Appointments by state',
    shown.map((facet) => ({ text: facets[facet], count: counts.get(facet)!, href: hrefOf(facet) })),
  )}</div>`
}
