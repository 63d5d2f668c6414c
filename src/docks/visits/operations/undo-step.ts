import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { Appointment, AppointmentId, stepFields } from '../../booking/schemas'
import { presentAppointment } from '../../booking/services/present-appointment'
import { saveAppointment } from '../../queries'
import { Success } from '../../schemas'
import { createChange, lockAppointment, requireFacility, writeAppointments } from '../../services/tenant-access'
import { type AppointmentStep, undoStep as revert, stepNames } from '../rules/appointment-steps'
import { readTakenSteps, requireReopenable } from '../services/visit-steps'

export const undoStep = operation({
  id: 'appointments.undo-step',
  summary: 'Undo the last step of a truck',
  description:
    'Each call undoes one more step. The step and its undo stay in the history. A completion or a released slot is undone only if the reference and the slot were not booked again.',
  effect: 'write',
  access: { docks: 'gate' },
  input: z.strictObject({ id: AppointmentId, note: stepFields.note }),
  output: Success.extend({ data: Appointment }),
  errors: ['not_found', 'invalid_state', 'duplicate_reference', 'conflict'],
  http: { method: 'post', path: '/api/appointments/{id}/undo-step', extension: true },
  cli: {
    command: 'appointment undo',
    args: ['id'],
    examples: ['studio appointment undo 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --note "Another truck"'],
    seeAlso: ['appointment step', 'appointment history', 'appointment reopen'],
  },
  run(ctx: Context & StorageContext, { id, note }) {
    return writeAppointments(ctx, async (tx) => {
      const { appointment } = await lockAppointment(ctx, tx, id)
      const facility = await requireFacility(ctx, tx, { facilityId: appointment.facilityId })
      const taken = await readTakenSteps(tx, id)
      const progress = revert(appointment, taken)
      if (progress === null) {
        const reason = appointment.status === 'cancelled' ? 'it is cancelled' : 'it has none'
        throw new StudioError('invalid_state', `No step of the appointment can be undone: ${reason}.`, {
          hint: hint`Show what happened: ${suggest('appointments.history', { id })}`,
        })
      }
      const isReopened = progress.status === 'scheduled' && appointment.status !== 'scheduled'
      if (isReopened) await requireReopenable(tx, facility, appointment, ctx.clock.now())
      const after = { ...appointment, ...progress }
      await saveAppointment(tx, { before: appointment, after }, { ...createChange(ctx, 'undone'), note })
      const undone = stepNames[taken.at(-1)!.kind as AppointmentStep]
      const last = progress.step === null ? 'No step is left' : `The last step is ${stepNames[progress.step]} again`
      return {
        status: 'success' as const,
        message: `Undone for ${appointment.referenceNumber} at ${appointment.facilityCode}: ${undone}. ${last}.`,
        data: presentAppointment(after),
      }
    })
  },
})
