import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { Appointment, AppointmentId, earlyField, Reason, stepFields } from '../../booking/schemas'
import { Success } from '../../schemas'
import { appointmentSteps, isAbsent } from '../rules/appointment-steps'
import { recordStep as record } from '../services/visit-steps'

export const recordStep = operation({
  id: 'appointments.step',
  summary: 'Record the next step of a truck, such as at the door, loading, departed or no-show',
  description:
    'The order is `at_door`, `loading`, `completed`, `departed`; you can skip steps. `completed` and `departed` complete the appointment. `no_show` is possible after the grace period of the facility. The first step of a truck more than 24 hours before the start of its appointment is refused unless `early` is given. For `turned_away`, give the reason, or a note that says it. `no_show` and `turned_away` keep the slot, and the appointment can still be rescheduled; with `release` they cancel the appointment and free the slot.',
  effect: 'write',
  access: { docks: 'gate' },
  input: z
    .strictObject({
      id: AppointmentId,
      step: z
        .enum(appointmentSteps)
        .exclude(['checked_in'])
        .describe('The step: at_door, loading, completed, departed, no_show or turned_away'),
      release: z.boolean().default(false).describe('Cancel the appointment after no_show or turned_away'),
      reason: Reason,
      ...stepFields,
      ...earlyField,
    })
    .refine(({ step, note, reason }) => step !== 'turned_away' || (note ?? reason) != null, {
      path: ['note'],
      message: 'is required for turned_away, unless a reason is given',
    })
    .refine(({ step, reason }) => reason == null || isAbsent(step), {
      path: ['reason'],
      message: 'is possible with no_show and turned_away only',
    })
    .refine(({ step, release }) => !release || isAbsent(step), {
      path: ['release'],
      message: 'is possible with no_show and turned_away only',
    }),
  output: Success.extend({ data: Appointment }),
  errors: ['not_found', 'invalid_state'],
  http: { method: 'post', path: '/api/appointments/{id}/steps', extension: true },
  cli: {
    command: 'appointment step',
    args: ['id', 'step'],
    flags: { at: { value: 'time' } },
    notice: ({ data }) => `To undo it: studio appointment undo ${data.id}`,
    examples: [
      'studio appointment step 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 at_door',
      'studio appointment step 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 turned_away --note "Wrong temperature" --release',
    ],
    seeAlso: ['appointment check-in', 'appointment undo', 'appointment complete', 'appointment history'],
  },
  run(ctx: Context & StorageContext, { release, ...request }) {
    return record(ctx, { ...request, releases: release })
  },
})
