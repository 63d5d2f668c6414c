import { hint, StudioError, suggest } from '../../../kernel'
import { HOUR_MS } from '../../../kernel/time'
import { formatLocalDateTime } from '../../rules/zoned-time'
import { type AppointmentStep, isAbsent } from './appointment-steps'

/** A truck that is earlier was probably checked in with the reference of another appointment. */
export const MAX_EARLY_HOURS = 24

/** Throws `invalid_state` for the first step of a truck that is too early, unless the caller has confirmed it. */
export function requireNotTooEarly(
  {
    id,
    referenceNumber,
    step: before,
    startAt,
  }: { id: string; referenceNumber: string; step: AppointmentStep | null; startAt: number },
  { step, at, timeZone, early }: { step: AppointmentStep; at: number; timeZone: string; early: boolean },
): void {
  const isArrival = (before === null || isAbsent(before)) && !isAbsent(step)
  if (!isArrival || early || startAt - at <= MAX_EARLY_HOURS * HOUR_MS) return
  const start = `${formatLocalDateTime(timeZone, startAt)} (${timeZone})`
  const confirmed =
    step === 'checked_in'
      ? suggest('appointments.check-in', { id, early: true })
      : suggest('appointments.step', { id, step, early: true })
  throw new StudioError(
    'invalid_state',
    `The appointment of ${referenceNumber} starts at ${start}, more than ${MAX_EARLY_HOURS} hours later.`,
    { hint: hint`Check the reference. If the truck is here: ${confirmed}` },
  )
}
