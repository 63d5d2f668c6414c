import { escapeHtml, pluralize } from '../../../src/kernel/text/text'
import { printableLine } from '../../terminal/layout'
import {
  type Board,
  type BoardAppointment,
  type BoardState,
  dateInFull,
  type Extent,
  extentOf,
  hoursWithin,
  stateOf,
} from './extent'

const WIDTH = 1600
const NAMES = 170
const HEAD = 96
const ROW = 56
const FOOT = 56
const MARGIN = 24

/** The day as a drawing without scripts, fonts or links. It scales to the screen and is readable in black and white. */
export function renderBoardSvg(board: Board): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${renderDrawing(board)}\n`
}

/** The `svg` element alone, for a page. */
export function renderDrawing(board: Board): string {
  const extent = extentOf(board)
  const height = HEAD + board.doors.length * ROW + FOOT
  const title = `${board.facilityCode} ${board.facilityName}, ${dateInFull(board.date)}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="board-title board-about" font-family="system-ui, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif">`,
    `<title id="board-title">${escapeXml(title)}</title>`,
    `<desc id="board-about">${escapeXml(about(board))}</desc>`,
    styles,
    patterns,
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    `<text class="title" x="${MARGIN}" y="40">${escapeXml(board.facilityCode)} <tspan class="name">${escapeXml(board.facilityName)}</tspan></text>`,
    `<text class="date" x="${WIDTH - MARGIN}" y="40" text-anchor="end">${escapeXml([dateInFull(board.date), board.timeZone, board.closure].filter(Boolean).join(' · '))}</text>`,
    ...board.doors.map((door, index) => doorRow(door, { extent, index })),
    ...hoursWithin(board, extent).map(({ at, clock }) => hourLine(clock, { x: xOf(at, extent), height })),
    ...nowLine(board, extent, height),
    legend(height),
    '</svg>',
  ].join('\n')
}

const styles = `<style>
.paper{fill:#fff}.title{font-size:30px;font-weight:700;fill:#111}.name{font-weight:400}.date{font-size:22px;fill:#333}
.hour{font-size:17px;fill:#444}.line{stroke:#c9ced6;stroke-width:1}.door{font-size:20px;font-weight:600;fill:#111}.off{fill:#666;font-weight:400}
.shut{fill:url(#shut)}.open{fill:#fff}.row{fill:none;stroke:#9aa3af}
.booked{fill:#dbeafe;stroke:#1d4ed8}.here{fill:#ede9fe;stroke:#6d28d9;stroke-width:4}.completed{fill:#dcfce7;stroke:#15803d}.conflict{fill:#fee2e2;stroke:#b91c1c;stroke-dasharray:6 3}
.held{fill:#fef9c3;stroke:#a16207;stroke-dasharray:2 3}
.load{stroke-width:2}.ref{font-size:17px;font-weight:600;fill:#111}.who{font-size:14px;fill:#333}.now{stroke:#b91c1c;stroke-width:2}.key{font-size:16px;fill:#333}
@media print{.now{display:none}}
</style>`

/** Closed hours are hatched, so that they are visible without color. */
const patterns = `<defs><pattern id="shut" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="8" height="8" fill="#eef0f3"/><line x1="0" y1="0" x2="0" y2="8" stroke="#d3d8df" stroke-width="2"/></pattern></defs>`

function about(board: Board): string {
  const count = board.doors.reduce((sum, door) => sum + door.appointments.length, 0)
  return `${pluralize(board.doors.length, 'door')}, ${pluralize(count, 'appointment')}. Each door is a row, time runs from left to right in ${board.timeZone}.`
}

function xOf(at: number, { from, to }: Extent): number {
  const share = (Math.min(Math.max(at, from), to) - from) / (to - from)
  return round(MARGIN + NAMES + share * (WIDTH - NAMES - 2 * MARGIN))
}

function doorRow(door: Board['doors'][number], { extent, index }: { extent: Extent; index: number }): string {
  const top = HEAD + index * ROW
  const [left, right] = [xOf(extent.from, extent), xOf(extent.to, extent)]
  const open = door.open.map(({ from, to }) => bar('open', spanX(from, to, extent), top))
  const name = clipText(door.active ? door.name : `${door.name} (off)`, (NAMES - 12) / 11)
  return [
    '<g>',
    `<text class="door${door.active ? '' : ' off'}" x="${MARGIN}" y="${top + ROW / 2 + 7}">${escapeXml(name)}</text>`,
    bar('shut', { x: left, width: round(right - left) }, top),
    ...open,
    bar('row', { x: left, width: round(right - left) }, top),
    ...door.holds.map((hold) => held(hold, spanX(hold.startTime, hold.endTime, extent), top)),
    ...door.appointments.map((appointment) =>
      load(appointment, spanX(appointment.startTime, appointment.endTime, extent), top),
    ),
    '</g>',
  ].join('\n')
}

interface Across {
  x: number
  width: number
}

function spanX(from: string, to: string, extent: Extent): Across {
  const x = xOf(Date.parse(from), extent)
  return { x, width: round(xOf(Date.parse(to), extent) - x) }
}

function bar(className: string, { x, width }: Across, top: number): string {
  return `<rect class="${className}" x="${x}" y="${top}" width="${width}" height="${ROW}"/>`
}

function load(appointment: BoardAppointment, { x, width }: Across, top: number): string {
  const { localStart, localEnd, type, carrierName, referenceNumber } = appointment
  const state = stateOf(appointment)
  const said = `${localStart}-${localEnd} ${type} ${referenceNumber}, ${carrierName}${state === 'booked' ? '' : `, ${STATES[state].name}`}`
  const marks = `${type === 'pickup' ? '▲' : '▼'}${STATES[state].mark}`
  const room = width - 12
  return [
    '<g>',
    `<title>${escapeXml(said)}</title>`,
    `<rect class="load ${state}" x="${round(x + 1)}" y="${top + 4}" width="${round(Math.max(2, width - 2))}" height="${ROW - 8}" rx="5"/>`,
    `<text class="ref" x="${round(x + 7)}" y="${top + 25}">${escapeXml(clipText(`${marks} ${referenceNumber}`, room / 10))}</text>`,
    `<text class="who" x="${round(x + 7)}" y="${top + 44}">${escapeXml(clipText(`${localStart} ${carrierName}`, room / 8))}</text>`,
    '</g>',
  ].join('')
}

/** The mark beside the reference shows the state without color. */
const STATES: Record<BoardState, { mark: string; name: string }> = {
  booked: { mark: '', name: 'booked' },
  here: { mark: '●', name: 'truck is here' },
  completed: { mark: '✓', name: 'completed' },
  conflict: { mark: '!', name: 'in conflict' },
}

function held(hold: Board['doors'][number]['holds'][number], { x, width }: Across, top: number): string {
  const who = hold.carrierName === null ? '' : ` for ${hold.carrierName}`
  return [
    '<g>',
    `<title>${escapeXml(`${hold.localStart}-${hold.localEnd} held${who}`)}</title>`,
    `<rect class="load held" x="${round(x + 1)}" y="${top + 4}" width="${round(Math.max(2, width - 2))}" height="${ROW - 8}" rx="5"/>`,
    `<text class="who" x="${round(x + 7)}" y="${top + 25}">${escapeXml(clipText(`held${who}`, (width - 12) / 8))}</text>`,
    '</g>',
  ].join('')
}

function hourLine(clock: string, { x, height }: { x: number; height: number }): string {
  return `<line class="line" x1="${x}" y1="${HEAD - 8}" x2="${x}" y2="${height - FOOT}"/><text class="hour" x="${x}" y="${HEAD - 16}" text-anchor="middle">${clock}</text>`
}

function nowLine(board: Board, extent: Extent, height: number): string[] {
  const now = Date.parse(board.generatedAt)
  if (now < extent.from || extent.to <= now) return []
  const x = xOf(now, extent)
  return [`<line class="now" x1="${x}" y1="${HEAD - 8}" x2="${x}" y2="${height - FOOT}"><title>now</title></line>`]
}

function legend(height: number): string {
  const y = height - FOOT / 2 + 4
  const states = Object.entries(STATES).map(([state, { mark, name }]) => [
    state,
    [mark, name].filter(Boolean).join(' '),
  ])
  const keys = [...states, ['held', 'held'], ['shut', 'closed']].map(([className, word], index) => {
    const x = MARGIN + NAMES + index * 160
    return `<rect class="load ${className}" x="${x}" y="${y - 14}" width="22" height="16"/><text class="key" x="${x + 30}" y="${y}">${word}</text>`
  })
  return `${keys.join('')}<text class="key" x="${WIDTH - MARGIN}" y="${y}" text-anchor="end">▲ pickup  ▼ delivery</text>`
}

/** The text up to `most` characters. The whole text is in the title of the block and in the table of the page. */
function clipText(text: string, most: number): string {
  const characters = [...printableLine(text)]
  if (characters.length <= most) return characters.join('')
  return most < 3 ? '' : `${characters.slice(0, Math.floor(most) - 1).join('')}…`
}

const round = (value: number) => Math.round(value * 10) / 10

/** Text for XML and HTML, without characters that XML does not allow. */
export function escapeXml(text: string): string {
  return escapeHtml(printableLine(text)).replace(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\ufffe\uffff]/g,
    '\ufffd',
  )
}
