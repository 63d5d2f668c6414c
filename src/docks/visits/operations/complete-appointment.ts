import * as z from 'zod'
import { type Context, operation, settlePlan } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { requireStatus } from '../../booking/rules/booking-rules'
import { Appointment, AppointmentId } from '../../booking/schemas'
import { describeSlot, presentAppointment } from '../../booking/services/present-appointment'
import { saveAppointment } from '../../queries'
import { Success } from '../../schemas'
import { createChange, lockAppointment, requireFacility, writeAppointments } from '../../services/tenant-access'
import { takeStep } from '../rules/appointment-steps'
import { stepError } from '../services/visit-steps'

const Completed = Success.extend({
  data: Appointment,
  dryRun: z.boolean(),
  startsLater: z
    .string()
    .nullable()
    .describe(
      'The time and door of an appointment that was completed before its start, in the time of the facility; otherwise null',
    ),
})
type Completed = z.output<typeof Completed>

export const completeAppointment = operation({
  id: 'appointments.complete',
  summary: 'Mark an appointment as completed',
  description:
    'The appointment keeps its time at the door, and its reference can be booked again. Completing a completed appointment succeeds and changes nothing. A cancelled appointment cannot be completed, nor can a no-show. The command asks for confirmation before the appointment has started.',
  effect: 'write',
  access: { docks: 'gate' },
  input: z.strictObject({
    id: AppointmentId,
    dryRun: z.boolean().default(false).describe('Show what would be completed without changing anything'),
  }),
  output: Completed,
  errors: ['not_found', 'invalid_state'],
  http: { method: 'post', path: '/api/appointments/{id}/complete', extension: true },
  cli: {
    command: 'appointment complete',
    args: ['id'],
    confirmDryRun: (answer) => formatEarlyQuestion(answer as Completed),
    notice: formatUndoNotice,
    examples: ['studio appointment complete 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --yes'],
    seeAlso: ['appointment reopen', 'appointment get', 'appointment list'],
  },
  run(ctx: Context & StorageContext, { id, dryRun }) {
    return writeAppointments(ctx, async (tx) => {
      const { appointment } = await lockAppointment(ctx, tx, id)
      requireStatus(appointment, ['scheduled', 'completed'], 'completed')
      const again = appointment.status === 'completed'
      const now = ctx.clock.now()
      const progress = again ? appointment : takeStep(appointment, 'completed')
      if (progress === null) throw stepError(appointment, 'completed')
      settlePlan(ctx, { appointment, hasBegun: appointment.startAt <= now })
      const after = { ...appointment, ...(dryRun ? {} : progress) }
      if (!again && !dryRun) await saveAppointment(tx, { before: appointment, after }, createChange(ctx, 'completed'))
      const { timeZone } = await requireFacility(ctx, tx, { facilityId: appointment.facilityId })
      const name = `Appointment ${appointment.referenceNumber} at ${appointment.facilityCode}`
      return {
        status: 'success' as const,
        message: `${name} ${again ? 'was already completed' : dryRun ? 'would be completed' : 'is completed'}.`,
        data: presentAppointment(after),
        dryRun,
        startsLater: again || appointment.startAt <= now ? null : describeSlot(appointment, timeZone),
      }
    })
  },
})

function formatEarlyQuestion({ data, startsLater }: Completed): string | null {
  return startsLater && `Appointment ${data.referenceNumber} has not started: it is ${startsLater}. Complete it now?`
}

function formatUndoNotice({ data, dryRun }: Completed): string | null {
  return dryRun ? null : `To undo it: studio appointment reopen ${data.id}`
}
