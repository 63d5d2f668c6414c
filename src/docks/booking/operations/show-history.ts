import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { listChanges } from '../../queries'
import { Instant } from '../../schemas'
import { requireAppointment, requireFacility } from '../../services/tenant-access'
import { changeKinds } from '../../visits/rules/appointment-steps'
import { AppointmentId } from '../schemas'
import { ChangeFacts, presentChange } from '../services/present-change'

const HistoryEntry = z.object({
  id: z.int().describe('Higher than that of every earlier change of the appointment'),
  kind: z.enum(changeKinds),
  at: Instant.describe('When it was recorded'),
  timeZone: z.string().describe('IANA time zone of the facility'),
  ...ChangeFacts.shape,
})

export const showHistory = operation({
  id: 'appointments.history',
  summary: 'List the changes of an appointment, with who made them and when',
  description: 'Oldest first.',
  effect: 'read',
  access: { docks: 'viewer' },
  input: z.strictObject({ id: AppointmentId }),
  output: z.array(HistoryEntry),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/appointments/{id}/history', extension: true, cacheable: () => true },
  listOrder: () => ({ id: ({ id }) => String(id), key: ({ id }) => [id] }),
  cli: {
    command: 'appointment history',
    args: ['id'],
    examples: ['studio appointment history 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['appointment get', 'appointment update', 'reschedule'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.read(async (tx) => {
      const { appointment } = await requireAppointment(ctx, tx, id)
      const { timeZone } = await requireFacility(ctx, tx, { facilityId: appointment.facilityId })
      const changes = await listChanges(tx, id)
      return changes.map((change) => ({
        id: change.id,
        kind: change.kind,
        at: formatInstant(change.at),
        timeZone,
        ...presentChange(change),
      }))
    })
  },
})
