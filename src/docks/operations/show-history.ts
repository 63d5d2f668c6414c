import * as z from 'zod'
import { findKeyNames } from '../../access'
import { type Context, operation } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import type { ReadTx, StorageContext } from '../../storage'
import { listChanges, type StoredChange } from '../queries'
import { changeKinds } from '../rules/appointment-steps'
import { AppointmentId, Instant } from '../schemas'
import { requireAppointment, requireFacility } from '../services/tenant-access'

const ChangedField = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })

const HistoryEntry = z.object({
  id: z.int().describe('Higher than that of every earlier change of the appointment'),
  kind: z.enum(changeKinds),
  at: Instant.describe('When it was recorded'),
  timeZone: z.string().describe('IANA time zone of the facility'),
  by: z.string().describe('Name of the tenant key; terminal for a command'),
  note: z.string().nullable(),
  occurredAt: Instant.describe('When it happened; before at if a step was recorded later'),
  driverName: z.string().nullable(),
  licensePlate: z.string().nullable(),
  sealNumber: z.string().nullable(),
  source: z.enum(['import', 'hold', 'series']).nullable().describe('How it was booked, if not by a booking'),
  changes: z.array(ChangedField).describe('The fields that changed'),
})

export const showHistory = operation({
  id: 'appointments.history',
  summary: 'List the changes of an appointment, with who made them and when',
  description: 'Oldest first. Version 1.0 recorded no changes.',
  effect: 'read',
  access: 'tenant',
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
      const names = await readCallerNames(tx, changes)
      return changes.map(({ caller, at, details, ...change }) => ({
        ...change,
        at: formatInstant(at),
        timeZone,
        by: names.get(caller) ?? caller,
        occurredAt: formatInstant(details?.occurredAt ?? at),
        driverName: details?.driverName ?? null,
        licensePlate: details?.licensePlate ?? null,
        sealNumber: details?.sealNumber ?? null,
        source: details?.source ?? null,
        changes: Object.entries(details?.changes ?? {}).map(presentChange),
      }))
    })
  },
})

/** The names of the keys among the callers; a key without a name is identified by its public prefix. */
function readCallerNames(tx: ReadTx, changes: readonly StoredChange[]): Promise<Map<string, string>> {
  return findKeyNames(tx, [...new Set(changes.map(({ caller }) => caller))])
}

const timeFields: Record<string, string> = { startAt: 'startTime', endAt: 'endTime' }

function presentChange([field, [before, after]]: [string, [unknown, unknown]]): z.output<typeof ChangedField> {
  const timeField = timeFields[field]
  if (timeField === undefined) return { field, before, after }
  return { field: timeField, before: formatInstant(Number(before)), after: formatInstant(Number(after)) }
}
