import { formatState } from '../../../src/docks/rules/appointment-steps'
import { pluralize } from '../../../src/kernel/text'
import { MINUTE_MS } from '../../../src/kernel/time'
import type { Colors } from '../../layout'
import { type Canvas, cut, printableLine, table } from '../../layout'
import { textWidth } from '../../wrap-text'
import {
  type Board,
  type BoardAppointment,
  dateInFull,
  type Extent,
  extentOf,
  foldExtent,
  hoursWithin,
  listByStart,
} from './extent'

/** Minutes of a column. The finest scale that fits the window is used. */
const SCALES = [10, 15, 20, 30]
const PIPE_SCALE = 15
const MAX_NAME_WIDTH = 16

type Door = Board['doors'][number]

/** A line for each door, then the appointments. A day that is wider than the window continues below. */
export function renderTimeline(board: Board, canvas: Canvas): string {
  const { colors } = canvas
  const names = board.doors.map(({ name, active }) => printableLine(active ? name : `${name} (off)`))
  const nameWidth = Math.min(MAX_NAME_WIDTH, Math.max(4, ...names.map((name) => textWidth(name))))
  const extent = extentOf(board)
  const columns = canvas.width === null ? Number.POSITIVE_INFINITY : Math.max(16, canvas.width - nameWidth - 2)
  const scale = scaleFor(extent, columns, canvas.width === null) * MINUTE_MS
  const head = `${colors.strong(`${printableLine(board.facilityCode)}  ${printableLine(board.facilityName)}`)}  ${dateInFull(board.date)}, ${board.timeZone}\n`
  const parts = foldExtent(extent, columns * scale).map((part) => {
    const axis = `${' '.repeat(nameWidth + 2)}${colors.faint(axisText(board, part, scale))}`
    const lines = board.doors.map((door, index) => {
      const name = cut(names[index]!, nameWidth)
      return `${name}${' '.repeat(nameWidth - textWidth(name))}  ${doorText(door, { part, scale, colors })}`
    })
    return [axis, ...lines].map((line) => `${line.trimEnd()}\n`).join('')
  })
  return [head, ...parts, `${legend(board, colors)}\n`, list(board, canvas)].join('\n')
}

function scaleFor(extent: Extent, columns: number, isPipe: boolean): number {
  if (isPipe) return PIPE_SCALE
  const fits = SCALES.find((minutes) => (extent.to - extent.from) / (minutes * MINUTE_MS) <= columns)
  return fits ?? SCALES.at(-1)!
}

/** As many hours as fit above the columns. */
function axisText(board: Board, part: Extent, scale: number): string {
  let text = ''
  for (const { at, clock } of hoursWithin(board, part)) {
    const column = Math.round((at - part.from) / scale)
    const isFree = column >= text.length + Number(text !== '')
    if (isFree) text = `${text.padEnd(column)}${clock}`
  }
  return text
}

interface Drawing {
  part: Extent
  scale: number
  colors: Colors
}

function doorText(door: Door, { part, scale, colors }: Drawing): string {
  const columns = Math.ceil((part.to - part.from) / scale)
  const cellOf = (instant: string) =>
    Math.min(columns, Math.max(0, Math.round((Date.parse(instant) - part.from) / scale)))
  const cells = Array.from({ length: columns }, (_, column) =>
    isOpen(door, part.from + column * scale) ? ' ' : colors.faint('·'),
  )
  let free = 0
  for (const { startTime, endTime, draw } of listBlocks(door, colors)) {
    if (Date.parse(endTime) <= part.from || part.to <= Date.parse(startTime)) continue
    const from = Math.max(free, cellOf(startTime))
    const to = Math.min(columns, Math.max(from + 1, cellOf(endTime)))
    if (from >= columns) continue
    cells.splice(from, to - from, draw(to - from), ...Array(to - from - 1).fill(''))
    free = to
  }
  return cells.join('')
}

interface Block {
  startTime: string
  endTime: string
  draw(width: number): string
}

/** The appointments and holds of a door by their start. */
function listBlocks(door: Door, colors: Colors): Block[] {
  const booked = door.appointments.map((appointment) => ({
    ...appointment,
    draw: (width: number) => tint(appointment, colors)(block(appointment, width)),
  }))
  const held = door.holds.map((hold) => ({ ...hold, draw: (width: number) => colors.warn(heldBlock(width)) }))
  return [...booked, ...held].sort((a, b) => Date.parse(a.startTime) - Date.parse(b.startTime))
}

/** `(held )`, as wide as the hold is long. */
function heldBlock(width: number): string {
  return width === 1 ? '?' : `(${'held'.slice(0, width - 2).padEnd(width - 2)})`
}

function isOpen(door: Door, at: number): boolean {
  return door.open.some(({ from, to }) => Date.parse(from) <= at && at < Date.parse(to))
}

/** `[PO-1001 ]`, as wide as the appointment is long. */
function block({ referenceNumber, type }: BoardAppointment, width: number): string {
  if (width === 1) return type === 'pickup' ? '^' : 'v'
  const text = cut(printableLine(referenceNumber), width - 2)
  return `[${width === 2 ? '' : text}${' '.repeat(Math.max(0, width - 2 - (width === 2 ? 0 : textWidth(text))))}]`
}

function tint(appointment: BoardAppointment, colors: Colors): (text: string) => string {
  if (appointment.conflict) return colors.bad
  return appointment.status === 'completed' ? colors.good : colors.accent
}

function legend(board: Board, colors: Colors): string {
  const held = board.doors.some(({ holds }) => holds.length > 0) ? `  ${colors.warn('(…)')} held` : ''
  return `${colors.accent('[…]')} booked  ${colors.good('[…]')} completed${held}  ${colors.faint('·')} closed`
}

function list(board: Board, canvas: Canvas): string {
  const rows = listByStart(board)
  if (rows.length === 0) return 'No appointments on this date.\n'
  const text = table(canvas, rows, [
    { title: 'TIME', text: ({ appointment }) => `${appointment.localStart}-${appointment.localEnd}` },
    { title: 'DOOR', text: ({ door }) => door.name },
    { title: 'TYPE', text: ({ appointment }) => appointment.type },
    { title: 'CARRIER', text: ({ appointment }) => appointment.carrierName, shrink: 'cut' },
    { title: 'REFERENCE', text: ({ appointment }) => appointment.referenceNumber },
    {
      title: 'STATUS',
      text: ({ appointment }) => (appointment.conflict ? 'in conflict' : formatState(appointment)),
      color: (cell, { appointment }) => tint(appointment, canvas.colors)(cell),
    },
  ])
  return `${text}\n${pluralize(rows.length, 'appointment')}\n`
}
