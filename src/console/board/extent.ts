import type { ResultOf } from '../../catalog'
import { HOUR_MS, MINUTE_MS } from '../../kernel/time'

export type Board = ResultOf<'facilities.board'>
export type Door = Board['doors'][number]
export type BoardAppointment = Door['appointments'][number]

/** What of a day is drawn. */
export interface Extent {
  from: number
  to: number
}

/** From the first to the last open hour, or appointment. */
export function extentOf(board: Board): Extent {
  const day = { from: Date.parse(board.from), to: Date.parse(board.to) }
  const spans = board.doors.flatMap(({ open, appointments }) => [
    ...open.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) })),
    ...appointments.map(({ startTime, endTime }) => ({ from: Date.parse(startTime), to: Date.parse(endTime) })),
  ])
  if (spans.length === 0) return day
  const first = spans.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY)
  const last = spans.reduce((most, { to }) => Math.max(most, to), Number.NEGATIVE_INFINITY)
  const hours = board.hours.map(({ at }) => Date.parse(at))
  return {
    from: hours.findLast((hour) => hour <= first) ?? day.from,
    to: hours.find((hour) => hour >= last) ?? day.to,
  }
}

/** Widths of a drawing, for which the style has classes. */
const WIDTHS_REM = [66, 80, 100, 130, 160, 200, 250, 320, 400]
const DOORS_REM = 8
/** What a block needs for the last characters of its reference. */
const BLOCK_REM = 3.9
/** Shorter ones say what they are on pointing. */
const SHORTEST_MS = 15 * MINUTE_MS

/** The class with which the shortest block shows the end of its reference. A drawing that is wider than the screen is scrolled. */
export function widthClassOf({ doors }: Board, { from, to }: Extent): string {
  const lengths = doors.flatMap(({ appointments }) =>
    appointments.map(({ startTime, endTime }) => Date.parse(endTime) - Date.parse(startTime)),
  )
  const shortest = Math.max(
    SHORTEST_MS,
    lengths.reduce((least, length) => Math.min(least, length), HOUR_MS),
  )
  const needed = DOORS_REM + ((to - from) / shortest) * BLOCK_REM
  return `wide-${WIDTHS_REM.find((width) => width >= needed) ?? WIDTHS_REM.at(-1)}`
}

/** A wall shows the hours around the present one, so that blocks can be read from afar. */
const WALL_HOURS = { before: 1, all: 8 }

export function wallExtentOf(board: Board): Extent {
  const whole = extentOf(board)
  const now = Date.parse(board.generatedAt)
  const isNow = whole.from <= now && now < whole.to
  if (!isNow || whole.to - whole.from <= WALL_HOURS.all * HOUR_MS) return whole
  const hour = whole.from + Math.floor((now - whole.from) / HOUR_MS) * HOUR_MS
  const latest = whole.to - WALL_HOURS.all * HOUR_MS
  const from = Math.min(latest, Math.max(whole.from, hour - WALL_HOURS.before * HOUR_MS))
  return { from, to: from + WALL_HOURS.all * HOUR_MS }
}

/** Where an instant is in a drawing of the extent. */
export function percent(at: number, { from, to }: Extent): string {
  return `${round(((at - from) / (to - from)) * 100)}%`
}

/** The place of a span, clipped to the extent; null outside of it. */
export function across(from: string, to: string, extent: Extent): { x: string; width: string } | null {
  const start = Math.max(Date.parse(from), extent.from)
  const length = Math.min(Date.parse(to), extent.to) - start
  if (length <= 0) return null
  return { x: percent(start, extent), width: `${round((length / (extent.to - extent.from)) * 100)}%` }
}

const round = (value: number) => Math.round(value * 1000) / 1000
