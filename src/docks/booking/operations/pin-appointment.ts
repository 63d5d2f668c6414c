import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { Success } from '../../schemas'
import { AppointmentId, ListedAppointment } from '../schemas'
import { IfSequence } from '../services/appointment-sequence'
import { setPinned } from '../services/set-pinned'

export const pinAppointment = operation({
  id: 'appointments.pin',
  summary: 'Keep an appointment at its door when room is made for others',
  description:
    'A booking that makes room moves other appointments to other doors, but never a pinned one. The staff and the carrier can still move it. Pinning it again changes nothing.',
  effect: 'write',
  access: { docks: 'clerk' },
  input: z.strictObject({ id: AppointmentId, ifSequence: IfSequence }),
  output: Success.extend({ data: ListedAppointment }),
  errors: ['not_found', 'invalid_state', 'stale_revision'],
  http: { method: 'post', path: '/api/appointments/{id}/pin', extension: true },
  cli: {
    command: 'appointment pin',
    args: ['id'],
    argumentNames: { id: 'appointmentId' },
    flags: { ifSequence: { value: 'sequence' } },
    examples: ['studio appointment pin 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['appointment unpin', 'appointment get', 'book', 'facility update'],
  },
  run(ctx: Context & StorageContext, { id, ifSequence }) {
    return setPinned(ctx, { id, ifSequence, isPinned: true })
  },
})
