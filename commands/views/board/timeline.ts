import { formatState } from '../../../src/docks/visits/rules/appointment-steps'
import { pluralize } from '../../../src/kernel/text/text'
import { MINUTE_MS } from '../../../src/kernel/time'
import type { Colors } from '../../terminal/layout'
import { type Canvas, cut, printableLine, table, wrapText } from '../../terminal/layout'
import { textWidth } from '../../terminal/wrap-text'
import {
  type Board,
  type BoardAppointment,
  type BoardState,
  dateInFull,
  type Extent,
  extentOf,
  foldExtent,
  hoursWithin,
  listByStart,
  stateOf,
} from './extent'

/** Minutes of a column. */
const SCALES = [5, 10, 15, 20, 30]
const PIPE_WIDTH = 120
/** A day that is wider than the window continues below, at most so often. */
const MAX_PARTS = 3
/** Columns for the last three characters of a reference, an ellipsis and the frame. */
const READABLE_WIDTH = 6
const MAX_NAME_WIDTH = 16

/** What encloses an appointment, so that its state is visible without color. */
const FRAMES: Record<BoardState, readonly [string, string]> = {
  booked: ['[', ']'],
  here: ['<', '>'],
  completed: ['{', '}'],
  conflict: ['!', '!'],
}

type Door = Board['doors'][number]

/** A line for each door, then the appointments. */
export function renderTimeline(board: Board, canvas: Canvas): string {
  const { colors } = canvas
  const names = board.doors.map(({ name, active }) => printableLine(active ? name : `${name} (off)`))
  const nameWidth = Math.min(MAX_NAME_WIDTH, Math.max(4, ...names.map((name) => textWidth(name))))
  const extent = extentOf(board)
  const columns = Math.max(16, (canvas.width ?? PIPE_WIDTH) - nameWidth - 2)
  const scale = chooseScale(board, extent, columns) * MINUTE_MS
  const head = `${colors.strong(`${printableLine(board.facilityCode)}  ${printableLine(board.facilityName)}`)}  ${dateInFull(board.date)}, ${board.timeZone}${board.closure === null ? '' : `, ${colors.warn(printableLine(board.closure))}`}\n`
  const parts = foldExtent(extent, columns * scale).map((part) => {
    const axis = `${' '.repeat(nameWidth + 2)}${colors.faint(axisText(board, part, { scale, columns }))}`
    const lines = board.doors.map((door, index) => {
      const name = cut(names[index]!, nameWidth)
      return `${name}${' '.repeat(nameWidth - textWidth(name))}  ${doorText(door, { part, scale, colors })}`
    })
    return [axis, ...lines].map((line) => `${line.trimEnd()}\n`).join('')
  })
  return [
    wrapText(head, canvas.width),
    ...parts,
    `${wrapText(legend(board, colors), canvas.width)}\n`,
    list(board, canvas),
  ].join('\n')
}

/**
 * The finest scale at which the day fits the window, if it is fine enough for the shortest appointment to show the end of its reference.
 * Otherwise the coarsest one that is.
 */
function chooseScale(board: Board, extent: Extent, columns: number): number {
  const minutes = (extent.to - extent.from) / MINUTE_MS
  const lengths = board.doors.flatMap(({ appointments }) =>
    appointments.map(({ startTime, endTime }) => (Date.parse(endTime) - Date.parse(startTime)) / MINUTE_MS),
  )
  const isReadable = (scale: number) => lengths.every((length) => length / scale >= READABLE_WIDTH)
  const whole = SCALES.find((scale) => minutes / scale <= columns)
  if (whole !== undefined && isReadable(whole)) return whole
  const possible = SCALES.filter((scale) => minutes / scale <= columns * MAX_PARTS)
  return possible.findLast(isReadable) ?? possible[0] ?? SCALES.at(-1)!
}

/** As many hours as fit above the columns. */
function axisText(board: Board, part: Extent, { scale, columns }: { scale: number; columns: number }): string {
  let text = ''
  for (const { at, clock } of hoursWithin(board, part)) {
    const column = Math.round((at - part.from) / scale)
    const isFree = column >= text.length + Number(text !== '') && column + clock.length <= columns
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

/** `[PO-1001 ]` or `[…01]`, as wide as the appointment is long. */
function block(appointment: BoardAppointment, width: number): string {
  const [open, close] = FRAMES[stateOf(appointment)]
  if (width === 1) return open
  if (width === 2) return `${open}${close}`
  const text = cutStart(printableLine(appointment.referenceNumber), width - 2)
  return `${open}${text}${' '.repeat(Math.max(0, width - 2 - textWidth(text)))}${close}`
}

/** The end of a reference: the numbers of a day often begin with the same digits. */
function cutStart(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let shown = ''
  for (const { segment } of [...new Intl.Segmenter().segment(text)].reverse()) {
    if (textWidth(segment + shown) > Math.max(1, width - 1)) break
    shown = segment + shown
  }
  return width === 1 ? shown : `…${shown}`
}

function tint(appointment: BoardAppointment, colors: Colors): (text: string) => string {
  return { booked: colors.accent, here: colors.strong, completed: colors.good, conflict: colors.bad }[
    stateOf(appointment)
  ]
}

const STATE_NAMES: Record<BoardState, string> = {
  booked: 'booked',
  here: 'truck is here',
  completed: 'completed',
  conflict: 'in conflict',
}

/** The frames that the board shows. */
function legend(board: Board, colors: Colors): string {
  const appointments = board.doors.flatMap((door) => door.appointments)
  const states = (Object.keys(FRAMES) as BoardState[]).flatMap((state) => {
    const example = appointments.find((appointment) => stateOf(appointment) === state)
    return example ? [`${tint(example, colors)(FRAMES[state].join('…'))} ${STATE_NAMES[state]}`] : []
  })
  const held = board.doors.some(({ holds }) => holds.length > 0) ? [`${colors.warn('(…)')} held`] : []
  return [...states, ...held, `${colors.faint('·')} closed`].join('  ')
}

function list(board: Board, canvas: Canvas): string {
  const rows = listByStart(board)
  if (rows.length === 0) return 'No appointments on this date.\n'
  const text = table(canvas, rows, [
    { title: 'TIME', text: ({ appointment }) => `${appointment.localStart}-${appointment.localEnd}` },
    { title: 'DOOR', text: ({ door }) => door.name, shrink: 'cut' },
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
