import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { Appointment, AppointmentId, earlyField, stepFields } from '../../booking/schemas'
import { Text } from '../../rules/text'
import { Success } from '../../schemas'
import { recordStep } from '../services/visit-steps'

export const checkInAppointment = operation({
  id: 'appointments.check-in',
  summary: 'Check a truck in when it arrives',
  description:
    'The status stays scheduled. An early or late truck is accepted, and the appointment says which it is: early or late by more than the grace period of the facility. A truck more than 24 hours before the start of its appointment is refused unless `early` is given. Checking in again corrects the driver, the plate, the seal and the note, and adds an entry to the history.',
  effect: 'write',
  access: { docks: 'gate', gateLinks: true },
  input: z.strictObject({
    id: AppointmentId,
    driverName: Text.min(1).max(200).nullish().describe('Name of the driver'),
    licensePlate: Text.min(1).max(50).nullish().describe('License plate of the truck'),
    sealNumber: Text.min(1).max(100).nullish().describe('Seal number'),
    ...stepFields,
    ...earlyField,
  }),
  output: Success.extend({ data: Appointment }),
  errors: ['not_found', 'invalid_state'],
  http: { method: 'post', path: '/api/appointments/{id}/check-in', extension: true },
  cli: {
    command: 'appointment check-in',
    args: ['id'],
    flags: {
      driverName: { name: 'driver', value: 'name' },
      licensePlate: { name: 'plate', value: 'number' },
      sealNumber: { name: 'seal', value: 'number' },
      at: { value: 'time' },
    },
    examples: [
      'studio appointment check-in 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --driver "Ana Ruiz" --plate "ILX 4411" --seal S-204',
    ],
    seeAlso: ['appointment step', 'appointment undo', 'appointment get'],
  },
  run(ctx: Context & StorageContext, { id, at, note, early, ...truck }) {
    return recordStep(ctx, { id, step: 'checked_in', at, note, truck, early })
  },
})
