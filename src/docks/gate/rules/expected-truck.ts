import { HOUR_MS } from '../../../kernel/time'
import { listNumbers } from '../../booking/rules/references'
import type { AppointmentStatus } from '../../facilities/rules/facility'
import { normalizeNumber } from '../../rules/normalize-number'
import { getLocalDay } from '../../rules/zoned-time'
import { type AppointmentStep, isAbsent } from '../../visits/rules/appointment-steps'

/** An appointment, as far as it says which truck is expected, and when. */
export interface Expected {
  referenceNumber: string
  references: string | null
  equipmentId: string | null
  status: AppointmentStatus
  step: AppointmentStep | null
  startAt: number
}

/** How far from now an appointment may start on another date: a night shift goes on after midnight. */
const NIGHT_MS = 6 * HOUR_MS

/** When all appointments start that may be of today. */
export function spanOfToday(now: number): { from: number; to: number } {
  return { from: now - LONGEST_DAY_MS, to: now + LONGEST_DAY_MS }
}

/** A date has 25 hours where the clock is set back. */
const LONGEST_DAY_MS = 25 * HOUR_MS

/**
 * The appointment of today that a driver names by one of its references, or else by the number of its trailer. What is typed exactly goes first;
 * of several it is the one whose truck is here, else the first. Null if there is none, or if its truck has left: one that the staff turned
 * away comes in with the staff alone.
 */
export function findExpectedTruck<Appointment extends Expected>(
  appointments: readonly Appointment[],
  { typed, now, timeZone }: { typed: string; now: number; timeZone: string },
): Appointment | null {
  const name = normalizeNumber(typed)
  const named = appointments
    .filter((one) => isExpected(one, { now, timeZone }))
    .filter((one) => name !== '' && namesOf(one).some((own) => normalizeNumber(own) === name))
    .sort((a, b) => a.startAt - b.startAt)
  // A reference is of one load only, but a carrier may write any text as its trailer.
  const byReference = named.filter((one) => listNumbers(one).some((own) => normalizeNumber(own) === name))
  const meant = byReference.length > 0 ? byReference : named
  const exact = meant.filter((one) => namesOf(one).includes(typed.trim()))
  const chosen = exact.length > 0 ? exact : meant
  return chosen.find(isHere) ?? chosen[0] ?? null
}

/** Whether the driver may check the truck in: its appointment is of today, and the staff has not turned it away. */
export function isExpected(
  { status, step, startAt }: Pick<Expected, 'status' | 'step' | 'startAt'>,
  { now, timeZone }: { now: number; timeZone: string },
): boolean {
  const isToday = Math.abs(startAt - now) <= NIGHT_MS || getLocalDay(timeZone, startAt) === getLocalDay(timeZone, now)
  return status === 'scheduled' && step !== 'turned_away' && isToday
}

/** Whether the truck has checked in and has not left. */
export function isHere({ step }: Pick<Expected, 'step'>): boolean {
  return step !== null && !isAbsent(step)
}

function namesOf({ equipmentId, ...references }: Expected): string[] {
  return [...listNumbers(references), ...(equipmentId === null ? [] : [equipmentId])]
}
