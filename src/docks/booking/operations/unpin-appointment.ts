import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { Success } from '../../schemas'
import { AppointmentId, ListedAppointment } from '../schemas'
import { IfSequence } from '../services/appointment-sequence'
import { setPinned } from '../services/set-pinned'

export const unpinAppointment = operation({
  id: 'appointments.unpin',
  summary: 'Let an appointment move to another door again when room is made',
  description: 'Unpinning it again changes nothing.',
  effect: 'write',
  access: { docks: 'clerk' },
  input: z.strictObject({ id: AppointmentId, ifSequence: IfSequence }),
  output: Success.extend({ data: ListedAppointment }),
  errors: ['not_found', 'invalid_state', 'stale_revision'],
  http: { method: 'post', path: '/api/appointments/{id}/unpin', extension: true },
  cli: {
    command: 'appointment unpin',
    args: ['id'],
    argumentNames: { id: 'appointmentId' },
    flags: { ifSequence: { value: 'sequence' } },
    examples: ['studio appointment unpin 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['appointment pin', 'appointment get', 'book', 'facility update'],
  },
  run(ctx: Context & StorageContext, { id, ifSequence }) {
    return setPinned(ctx, { id, ifSequence, isPinned: false })
  },
})
