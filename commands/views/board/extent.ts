import type { ResultOf } from '../../../src/catalog'
import { isAbsent } from '../../../src/docks/visits/rules/appointment-steps'
import { HOUR_MS } from '../../../src/kernel/time'

export type Board = ResultOf<'facilities.board'>
export type BoardAppointment = Board['doors'][number]['appointments'][number]

export interface Extent {
  from: number
  to: number
}

/** The part of the date with open hours or appointments, in full hours; the whole date if there are none. */
export function extentOf(board: Board): Extent {
  const date = { from: Date.parse(board.from), to: Date.parse(board.to) }
  const spans = board.doors.flatMap((door) => [
    ...door.open.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) })),
    ...door.appointments.map(({ startTime, endTime }) => ({ from: Date.parse(startTime), to: Date.parse(endTime) })),
  ])
  if (spans.length === 0) return date
  const hours = board.hours.map(({ at }) => Date.parse(at))
  const first = Math.max(date.from, Math.min(...spans.map(({ from }) => from)))
  const last = Math.min(date.to, Math.max(...spans.map(({ to }) => to)))
  return {
    from: hours.findLast((hour) => hour <= first) ?? date.from,
    to: hours.find((hour) => hour >= last) ?? date.to,
  }
}

/** The full hours within the extent, each with its local time. */
export function hoursWithin(board: Board, extent: Extent): { at: number; clock: string }[] {
  return board.hours
    .map(({ at, clock }) => ({ at: Date.parse(at), clock }))
    .filter(({ at }) => extent.from <= at && at < extent.to)
}

/** Splits an extent into parts of whole hours, as equal as possible, none longer than `partMs` unless that is less than an hour. */
export function foldExtent({ from, to }: Extent, partMs: number): Extent[] {
  const hours = Math.ceil((to - from) / HOUR_MS)
  const most = Math.max(1, Math.floor(partMs / HOUR_MS))
  const hoursEach = Math.ceil(hours / Math.ceil(hours / most))
  const parts: Extent[] = []
  for (let at = from; at < to; at += hoursEach * HOUR_MS)
    parts.push({ from: at, to: Math.min(to, at + hoursEach * HOUR_MS) })
  return parts
}

/** The appointments of all doors by their start, with their doors. */
export function listByStart({ doors }: Board): { door: Board['doors'][number]; appointment: BoardAppointment }[] {
  return doors
    .flatMap((door) => door.appointments.map((appointment) => ({ door, appointment })))
    .sort((a, b) => Date.parse(a.appointment.startTime) - Date.parse(b.appointment.startTime))
}

export type BoardState = 'booked' | 'here' | 'completed' | 'conflict'

/** What an appointment looks like on the board: a conflict first, then where its truck is. */
export function stateOf({ conflict, status, step }: BoardAppointment): BoardState {
  if (conflict) return 'conflict'
  if (status === 'completed') return 'completed'
  return step === null || isAbsent(step) ? 'booked' : 'here'
}

/** `Monday, 1 March 2027`. */
export function dateInFull(date: string): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(Date.UTC(year, month - 1, day))
}
