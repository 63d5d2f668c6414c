import { MINUTE_MS } from '../../../kernel/time'
import type { AppointmentStep } from './appointment-steps'

export const arrivals = ['early', 'on_time', 'late'] as const
export type Arrival = (typeof arrivals)[number]

/** A step and when it happened, in epoch milliseconds. */
export interface TimedStep {
  kind: AppointmentStep
  at: number
}

/** How long a truck waited and stayed, in minutes. Null if a step that it depends on was not recorded. */
export interface VisitTimes {
  arrival: Arrival | null
  /** From the start of the appointment to the check-in; negative if the truck was early. */
  minutesAfterStart: number | null
  /** From the check-in to the door. */
  waitMinutes: number | null
  /** At the door: until the work is completed, or the truck leaves without that. */
  turnMinutes: number | null
  /** From the check-in to the departure. */
  dwellMinutes: number | null
  /** How long the truck stayed beyond its free time, which begins with the check-in, or with the start if that is later. */
  detentionMinutes: number | null
}

/** `steps` are those of the present visit, oldest first. A truck that came back is measured from its last check-in. */
export function computeVisitTimes(
  steps: readonly TimedStep[],
  { startAt, graceMinutes, truckFreeMinutes }: { startAt: number; graceMinutes: number; truckFreeMinutes: number },
): VisitTimes {
  const checkIn = steps.findLastIndex(({ kind }) => kind === 'checked_in')
  const visit = steps.slice(Math.max(checkIn, 0))
  const find = (...kinds: AppointmentStep[]) => visit.find(({ kind }) => kinds.includes(kind))?.at ?? null
  const arrivedAt = find('checked_in')
  const doorAt = find('at_door', 'loading')
  const departedAt = find('departed', 'turned_away')
  return {
    arrival: arrivedAt === null ? null : judgeArrival(arrivedAt - startAt, graceMinutes * MINUTE_MS),
    minutesAfterStart: countMinutes(startAt, arrivedAt),
    waitMinutes: countMinutes(arrivedAt, doorAt),
    turnMinutes: countMinutes(doorAt, find('completed') ?? departedAt),
    dwellMinutes: countMinutes(arrivedAt, departedAt),
    detentionMinutes: countDetention(arrivedAt, departedAt, { startAt, truckFreeMinutes }),
  }
}

function judgeArrival(lateMs: number, graceMs: number): Arrival {
  if (Math.abs(lateMs) <= graceMs) return 'on_time'
  return lateMs < 0 ? 'early' : 'late'
}

function countDetention(
  arrivedAt: number | null,
  departedAt: number | null,
  { startAt, truckFreeMinutes }: { startAt: number; truckFreeMinutes: number },
): number | null {
  if (arrivedAt === null || departedAt === null) return null
  return Math.max(0, countMinutes(Math.max(arrivedAt, startAt), departedAt)! - truckFreeMinutes)
}

/**
 * The times of a truck that dropped its trailer in the yard. Its steps are those of the trailer, so they do not say how long the truck itself
 * waited and stayed.
 */
export function withoutStay<Times extends VisitTimes>(times: Times): Times {
  return { ...times, waitMinutes: null, dwellMinutes: null, detentionMinutes: null }
}

function countMinutes(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : Math.round((to - from) / MINUTE_MS)
}
