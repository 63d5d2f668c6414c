import * as z from 'zod'
import { hint, StudioError, suggest } from '../../../kernel'
import type { AppointmentRecord } from '../../queries'

export const IfSequence = z
  .int()
  .min(0)
  .optional()
  .describe('The sequence of the appointment that your change is based on: if it was changed since, nothing is saved')

/** Throws `stale_revision`. */
export function requireSequence(
  { id, referenceNumber, sequence }: AppointmentRecord,
  ifSequence: number | undefined,
): void {
  if (ifSequence === undefined || ifSequence === sequence) return
  throw new StudioError(
    'stale_revision',
    `Appointment ${referenceNumber} was changed since you last read it. Nothing was saved.`,
    {
      hint: hint`Read it again, then repeat your change with its new sequence: ${suggest('appointments.get', { id })}`,
      details: [{ path: 'ifSequence', message: `is now ${sequence}`, was: ifSequence, now: sequence }],
    },
  )
}
