import type { AppointmentStatus } from '../../facilities/rules/facility'
import { type AppointmentStep, isCalledOff } from '../../visits/rules/appointment-steps'

/** What the page of a driver says. */
export type GateVisitState =
  | { kind: 'waiting'; position: number }
  | { kind: 'to-door' | 'loading'; door: string }
  | { kind: 'completed' }
  /** The appointment was cancelled, or its check-in was undone. */
  | { kind: 'ask-gate' }
  | { kind: 'left' }

/** `waiting` are the appointments whose trucks wait for a door, in their order. */
export function judgeVisit(
  appointment: { id: string; status: AppointmentStatus; step: AppointmentStep | null; doorName: string },
  waiting: readonly string[],
): GateVisitState {
  const { id, step, doorName: door } = appointment
  if (isCalledOff(appointment)) return { kind: 'ask-gate' }
  switch (step) {
    case 'checked_in': {
      const place = waiting.indexOf(id)
      return { kind: 'waiting', position: (place < 0 ? waiting.length : place) + 1 }
    }
    case 'at_door':
      return { kind: 'to-door', door }
    case 'loading':
      return { kind: 'loading', door }
    case 'completed':
      return { kind: 'completed' }
    case 'departed':
    case 'turned_away':
      return { kind: 'left' }
    default:
      return { kind: 'ask-gate' }
  }
}
