import { hint, StudioError, suggest } from '../../../kernel'
import { formatDate } from '../../../kernel/time'
import type { AppointmentStatus } from '../../facilities/rules/facility'
import { getLocalDay } from '../../rules/zoned-time'
import { type AppointmentStep, isTruckAtDoor } from './appointment-steps'

/** An appointment, as far as it says where its truck is. */
interface Visit {
  id: string
  status: AppointmentStatus
  step: AppointmentStep | null
  doorName: string
  referenceNumber: string
  startAt: number
}

/** Throws `invalid_state` if the truck of a scheduled appointment is at a door. */
export function requireNoTruckAtDoor(visit: Visit, verb: 'cancelled' | 'moved' | 'swapped'): void {
  if (!isTruckAtDoor(visit)) return
  const { id, doorName } = visit
  const away = { id, step: 'turned_away', note: '<reason>', ...(verb === 'cancelled' && { release: true }) }
  throw new StudioError('invalid_state', `The truck is at ${doorName}, so the appointment cannot be ${verb}.`, {
    hint: hint`Turn the truck away: ${suggest('appointments.step', away)}. If it is not there, undo the step: ${suggest('appointments.undo-step', { id })}`,
  })
}

/**
 * Whether the appointment may start on a date, by where its truck is. A truck that has checked in and waits can get another door or another
 * time, but only on the date of its appointment or today: it is here.
 */
export function canTruckBeOn(
  { step, startAt }: Visit,
  { day, timeZone, now }: { day: number; timeZone: string; now: number },
): boolean {
  return step !== 'checked_in' || day === getLocalDay(timeZone, startAt) || day === getLocalDay(timeZone, now)
}

/** Throws `invalid_state` if the truck has checked in and the date is neither that of its appointment nor today. */
export function requireDateOfTruck(
  visit: Visit,
  target: { day: number; timeZone: string; now: number },
  verb: 'moved' | 'swapped',
): void {
  if (canTruckBeOn(visit, target)) return
  const { id, referenceNumber } = visit
  const what = `The truck of ${referenceNumber} has checked in, so the appointment cannot be ${verb} to ${formatDate(target.day)}.`
  throw new StudioError('invalid_state', what, {
    hint: hint`Move it to another time of its date or of today, or turn the truck away first: ${suggest('appointments.step', { id, step: 'turned_away', note: '<reason>' })}. If it is not there, undo the step: ${suggest('appointments.undo-step', { id })}`,
  })
}
