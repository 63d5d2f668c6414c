import { attentionNames, formatState } from '../../docks'
import { pluralize } from '../../kernel/text/text'
import { appointmentLook, badge, type Shape, type Tone } from '../components/badge'
import type { Html } from '../html'
import type { Board, BoardAppointment } from './extent'

/** By what a board is filtered and counted, with the words for it. An appointment may have several. */
export const facets = {
  late: attentionNames.late,
  waiting: attentionNames.waiting,
  conflict: 'in conflict',
  long_at_door: attentionNames.long_at_door,
  expected: 'expected',
  at_door: 'at the door',
  done: 'done',
  absent: 'did not come',
} as const
export type Facet = keyof typeof facets

/** These are shown also if there is none: somebody looks for them. */
const MAIN_FACETS: readonly Facet[] = ['late', 'waiting', 'conflict']

export function facetsOf({ attention, conflict, status, step }: BoardAppointment): Facet[] {
  const found: Facet[] = []
  if (conflict !== null) found.push('conflict')
  if (attention !== null) found.push(attention)
  if (status === 'completed') found.push('done')
  else if (step === 'at_door' || step === 'loading') found.push('at_door')
  else if (step === 'no_show' || step === 'turned_away') found.push('absent')
  else if (attention === null) found.push('expected')
  return found
}

export function countFacets(board: Board): Map<Facet, number> {
  const counts = new Map<Facet, number>(MAIN_FACETS.map((facet) => [facet, 0]))
  for (const { appointments } of board.doors)
    for (const appointment of appointments)
      for (const facet of facetsOf(appointment)) counts.set(facet, (counts.get(facet) ?? 0) + 1)
  return counts
}

export function countAppointments(board: Board): string {
  const count = board.doors.reduce((sum, { appointments }) => sum + appointments.length, 0)
  return pluralize(count, 'appointment')
}

/** Color and shape of an appointment: what somebody should look at comes before its state. */
export function lookOf(appointment: BoardAppointment): { tone: Tone; shape: Shape } {
  if (appointment.conflict === null && appointment.attention === 'late') return { tone: 'bad', shape: 'clock' }
  if (appointment.conflict === null && appointment.attention === 'long_at_door') return { tone: 'bad', shape: 'door' }
  return appointmentLook(appointment)
}

/** Such as `late`, `in conflict (scheduled)` or `at the door too long`. */
export function wordsOf(appointment: BoardAppointment): string {
  const state = formatState(appointment)
  if (appointment.conflict !== null) return `in conflict (${state})`
  if (appointment.attention === 'waiting') return `${state}, waiting`
  return appointment.attention === null ? state : attentionNames[appointment.attention]
}

export function stateBadge(appointment: BoardAppointment): Html {
  const { tone, shape } = lookOf(appointment)
  return badge(tone, wordsOf(appointment), { shape })
}
