import { MINUTE_MS } from '../../../kernel/time'
import { isTruckAtDoor, type Progress } from './appointment-steps'

/** Why a person should look at an appointment now. */
export const attentions = ['late', 'waiting', 'long_at_door'] as const
export type Attention = (typeof attentions)[number]

/** For badges and counters. */
export const attentionNames: Record<Attention, string> = {
  late: 'late',
  waiting: 'waiting',
  long_at_door: 'at the door too long',
}

/**
 * The truck has not come although the grace of the facility is over, or it has checked in and waits for its door, or it is still at the door
 * so long after the end of the appointment. Null if no one has to look.
 */
export function judgeAttention(
  visit: Progress & { startAt: number; endAt: number },
  { now, graceMinutes }: { now: number; graceMinutes: number },
): Attention | null {
  if (visit.status !== 'scheduled') return null
  const graceMs = graceMinutes * MINUTE_MS
  if (visit.step === 'checked_in') return 'waiting'
  if (isTruckAtDoor(visit)) return now - visit.endAt > graceMs ? 'long_at_door' : null
  return visit.step === null && now - visit.startAt > graceMs ? 'late' : null
}
