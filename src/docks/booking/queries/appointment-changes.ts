import { sql } from 'kysely'
import { getEngine, precompileQuery, type ReadTx, type WriteTx } from '../../../storage'
import { insertDeliveries } from '../../events/queries/webhooks'
import { docksTables } from '../../queries/docks-tables'
import type { ChangeKind } from '../../visits/rules/appointment-steps'

/** What a change of an appointment was, who made it, and when. */
export interface AppointmentChange {
  kind: ChangeKind
  /** Epoch milliseconds. */
  at: number
  caller: ChangeCaller
  note?: string | null
  details?: ChangeDetails | null
}

/** Who made a change. */
export interface ChangeCaller {
  /** ID of the credential at the docks; otherwise the kind of the caller. */
  id: string
  /** The name that the credential had then; null for other callers. */
  name: string | null
}

export interface ChangeDetails {
  /** When the appointment was last changed, for a kind that does not change it; epoch milliseconds. */
  lastChangedAt?: number
  /** How it was booked, if not by a booking. */
  source?: 'import' | 'hold' | 'series'
  /** Why, as the facility lists it. */
  reason?: string | null
  /** When a step happened, if that was before it was recorded. */
  occurredAt?: number
  driverName?: string | null
  licensePlate?: string | null
  sealNumber?: string | null
  /** The appointment for which it made room at its door. */
  madeRoomFor?: { id: string; referenceNumber: string }
  /** Whether a check-in replaces the one before it. It then has all that is known of the truck, and the time of the first one. */
  isCorrection?: boolean
  /** Each changed field with its value before and after. */
  changes?: Record<string, [before: unknown, after: unknown]>
}

/** The ID is higher than those of all changes before. On a server this is certain for the changes of one facility only. */
export type StoredChange = Required<AppointmentChange> & { id: number }

/** Adds a change to the history. Called by the functions that write appointments, so that none is missing. */
export async function insertChange(
  tx: WriteTx,
  appointmentId: string,
  { caller, note = null, details = null, ...change }: AppointmentChange,
): Promise<void> {
  const row = { appointmentId, ...change, caller: caller.id, callerName: caller.name, note }
  await runInsert.later(tx, { ...row, details: details && JSON.stringify(details) })
  const carriers = (details?.changes?.['carrierName'] ?? null) as [before: string, after: string] | null
  await insertDeliveries(tx, { appointmentId, kind: change.kind, dueAt: change.at, carriers })
}

interface ChangeRow extends Omit<StoredChange, 'id' | 'caller' | 'details'> {
  appointmentId: string
  caller: string
  callerName: string | null
  details: string | null
}

const runInsert = precompileQuery((tx, { appointmentId, kind, at, caller, callerName, note, details }: ChangeRow) =>
  docksTables(tx)
    .insertInto('appointment_change')
    .values({ appointment_id: appointmentId, kind, at, caller, caller_name: callerName, note, details }),
)

/** The changes of an appointment, oldest first. */
export async function listChanges(tx: ReadTx, appointmentId: string): Promise<StoredChange[]> {
  return (await changesQuery(tx).where('appointment_id', '=', appointmentId).execute()).map(toStoredChange)
}

/** A change and the appointment that it is of. */
export type AppointmentOfChange = StoredChange & { appointmentId: string }

/** The changes of these appointments from an ID on, oldest first. */
export async function listChangesSince(
  tx: ReadTx,
  { appointmentIds, since }: { appointmentIds: readonly string[]; since: number },
): Promise<AppointmentOfChange[]> {
  const query = changesQuery(tx).where('appointment_id', 'in', appointmentIds).where('id', '>=', since)
  return (await query.execute()).map(toStoredChange)
}

function changesQuery(tx: ReadTx) {
  return docksTables(tx)
    .selectFrom('appointment_change')
    .select([
      'id',
      'appointment_id as appointmentId',
      'kind',
      'at',
      'caller',
      'caller_name as callerName',
      'note',
      'details',
    ])
    .orderBy('id')
}

function toStoredChange<Row extends { caller: string; callerName: string | null; details: string | null }>({
  caller: id,
  callerName: name,
  details,
  ...row
}: Row) {
  return { ...row, caller: { id, name }, details: details === null ? null : (JSON.parse(details) as ChangeDetails) }
}

/** The last change that can be read, and which transactions may still commit earlier ones. */
export interface LastChange {
  /** 0 if there is none. */
  id: number
  /** Every transaction with a lower number has ended. */
  oldest: number
  /** Transactions that have not begun get this number or a higher one. */
  next: number
}

export async function findLastChange(tx: ReadTx): Promise<LastChange> {
  const { id } = await docksTables(tx)
    .selectFrom('appointment_change')
    .select(({ fn }) => fn.max<number | null>('id').as('id'))
    .executeTakeFirstOrThrow()
  // The embedded engine runs one writer at a time, so its IDs are in the order of the commits.
  if (getEngine(tx) !== 'postgres') return { id: id ?? 0, oldest: 0, next: 0 }
  const snapshot = sql<{ oldest: string; next: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as oldest, pg_snapshot_xmax(pg_current_snapshot())::text as next`
  const { oldest, next } = (await snapshot.execute(docksTables(tx))).rows[0]!
  return { id: id ?? 0, oldest: Number(oldest), next: Number(next) }
}

/** Where appointments changed between two IDs, the first one excluded. */
export function listChangedPlaces(
  tx: ReadTx,
  { after, until }: { after: number; until: number },
): Promise<{ tenantId: string; facilityId: string }[]> {
  return docksTables(tx)
    .selectFrom('appointment_change')
    .innerJoin('appointment', 'appointment.id', 'appointment_change.appointment_id')
    .select(['tenant_id as tenantId', 'facility_id as facilityId'])
    .distinct()
    .where('appointment_change.id', '>', after)
    .where('appointment_change.id', '<=', until)
    .execute()
}

/** The changes of a tenant's appointments between two IDs, the first one excluded, oldest first. */
export function listChangedBetween(
  tx: ReadTx,
  {
    tenantId,
    facilityId,
    after,
    until,
    limit,
  }: {
    tenantId: string
    /** Null for all. */
    facilityId: string | null
    after: number
    until: number
    limit: number
  },
): Promise<{ changeId: number; appointmentId: string }[]> {
  const query = docksTables(tx)
    .selectFrom('appointment_change')
    .innerJoin('appointment', 'appointment.id', 'appointment_change.appointment_id')
    .select(['appointment_change.id as changeId', 'appointment_id as appointmentId'])
    .where('appointment_change.id', '>', after)
    .where('appointment_change.id', '<=', until)
    .where('tenant_id', '=', tenantId)
    .orderBy('appointment_change.id')
    .limit(limit)
  return (facilityId === null ? query : query.where('facility_id', '=', facilityId)).execute()
}
