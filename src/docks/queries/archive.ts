import type { Selectable } from 'kysely'
import { forUpdate, type ReadTx, type WriteTx } from '../../storage'
import type { AppointmentTable, DocksTables } from '../migrations'
import { docksTables } from './docks-tables'

/** An appointment with all rows that belong to it, as they are stored. */
export interface ArchivedAppointment {
  appointment: AppointmentTable
  /** Its history, oldest first. */
  changes: Omit<Selectable<DocksTables['appointment_change']>, 'appointment_id'>[]
  /** The rows of imported files from which it was booked. */
  imports: Omit<DocksTables['imported_row'], 'appointment_id' | 'facility_id'>[]
  /** The dates of series for which it was booked. */
  occurrences: Pick<DocksTables['series_occurrence'], 'series_id' | 'date'>[]
}

export interface ArchivePosition {
  startAt: number
  id: string
}

const BEGINNING: ArchivePosition = { startAt: Number.MIN_SAFE_INTEGER, id: '' }

/** The facilities of a tenant, deleted ones too. */
export function listArchiveFacilities(
  tx: ReadTx,
  tenantId: string,
): Promise<{ id: string; code: string; timeZone: string }[]> {
  return docksTables(tx)
    .selectFrom('facility')
    .select(['id', 'code', 'time_zone as timeZone'])
    .where('tenant_id', '=', tenantId)
    .orderBy('code')
    .execute()
}

/** Appointments that ended before `before`, by start, from the position on. None that a webhook still has to be told about. */
export async function listEndedAppointments(
  tx: ReadTx,
  {
    facilityId,
    before,
    after,
    limit,
  }: { facilityId: string; before: number; after: ArchivePosition | null; limit: number },
): Promise<ArchivedAppointment[]> {
  const { startAt, id } = after ?? BEGINNING
  const appointments = await endedAppointments(tx, facilityId, before)
    .selectAll()
    .where('start_at', '>=', startAt)
    .where(({ or, eb }) => or([eb('start_at', '>', startAt), eb('id', '>', id)]))
    .orderBy('start_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return addRelatedRows(tx, appointments)
}

export async function countEndedAppointments(tx: ReadTx, facilityId: string, before: number): Promise<number> {
  const counted = endedAppointments(tx, facilityId, before).select(({ fn }) => fn.countAll<number>().as('count'))
  return (await counted.executeTakeFirstOrThrow()).count
}

function endedAppointments(tx: ReadTx, facilityId: string, before: number) {
  const pending = docksTables(tx).selectFrom('webhook_delivery').select('appointment_id')
  return docksTables(tx)
    .selectFrom('appointment')
    .where('facility_id', '=', facilityId)
    .where('start_at', '<', before)
    .where('end_at', '<', before)
    .where('id', 'not in', pending)
}

async function addRelatedRows(tx: ReadTx, appointments: readonly AppointmentTable[]): Promise<ArchivedAppointment[]> {
  const ids = appointments.map(({ id }) => id)
  if (ids.length === 0) return []
  const db = docksTables(tx)
  const changes = await db
    .selectFrom('appointment_change')
    .selectAll()
    .where('appointment_id', 'in', ids)
    .orderBy('id')
    .execute()
  const imports = await db.selectFrom('imported_row').selectAll().where('appointment_id', 'in', ids).execute()
  const occurrences = await db.selectFrom('series_occurrence').selectAll().where('appointment_id', 'in', ids).execute()
  return appointments.map((appointment) => {
    const isOwn = (row: { appointment_id: string | null }) => row.appointment_id === appointment.id
    return {
      appointment,
      changes: changes.filter(isOwn).map(({ appointment_id, ...row }) => row),
      imports: imports.filter(isOwn).map(({ appointment_id, facility_id, ...row }) => row),
      occurrences: occurrences.filter(isOwn).map(({ series_id, date }) => ({ series_id, date })),
    }
  })
}

/** Removes appointments with their rows, except those that have changed since they were read. Returns how many are gone. */
export async function deleteUnchangedAppointments(
  tx: WriteTx,
  archived: readonly ArchivedAppointment[],
): Promise<number> {
  const db = docksTables(tx)
  const read = new Map(archived.map((entry) => [entry.appointment.id, entry]))
  // Everything that changes an appointment locks its facility first, so no change is between its reading and its writing.
  const facilityIds = [...new Set(archived.map(({ appointment }) => appointment.facility_id))]
  await forUpdate(tx, db.selectFrom('facility').select('id').where('id', 'in', facilityIds).orderBy('id')).execute()
  const stored = await forUpdate(
    tx,
    db
      .selectFrom('appointment')
      .selectAll()
      .where('id', 'in', [...read.keys()]),
  ).execute()
  const now = await addRelatedRows(tx, stored)
  const ids = now
    .filter((entry) => isSame(entry, read.get(entry.appointment.id)!))
    .map(({ appointment }) => appointment.id)
  if (ids.length === 0) return 0
  await db.updateTable('series_occurrence').set({ appointment_id: null }).where('appointment_id', 'in', ids).execute()
  await db.deleteFrom('imported_row').where('appointment_id', 'in', ids).execute()
  await db.deleteFrom('appointment_change').where('appointment_id', 'in', ids).execute()
  await db.deleteFrom('appointment').where('id', 'in', ids).execute()
  return ids.length
}

/** Whether two readings are of the same state: each change of an appointment adds to its history. */
function isSame(one: ArchivedAppointment, other: ArchivedAppointment): boolean {
  return (
    one.changes.length === other.changes.length &&
    one.appointment.sequence === other.appointment.sequence &&
    one.appointment.updated_at === other.appointment.updated_at
  )
}

/** Which of the appointments can be stored again, and why the others cannot. */
export async function findArchiveConflicts(
  tx: ReadTx,
  tenantId: string,
  entries: readonly ArchivedAppointment[],
): Promise<Map<string, 'present' | 'no_door' | 'reference_taken'>> {
  const db = docksTables(tx)
  const ids = entries.map(({ appointment }) => appointment.id)
  const present = await db.selectFrom('appointment').select('id').where('id', 'in', ids).execute()
  const doors = await db
    .selectFrom('door')
    .innerJoin('facility', 'facility.id', 'door.facility_id')
    .select(['door.id', 'door.facility_id'])
    .where('facility.tenant_id', '=', tenantId)
    .where('door.id', 'in', [...new Set(entries.map(({ appointment }) => appointment.door_id))])
    .execute()
  const scheduled = entries.filter(({ appointment }) => appointment.status === 'scheduled')
  const taken = await db
    .selectFrom('appointment')
    .select(['facility_id', 'reference_number'])
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'scheduled')
    .where('reference_number', 'in', ['', ...scheduled.map(({ appointment }) => appointment.reference_number)])
    .execute()
  const conflicts = new Map<string, 'present' | 'no_door' | 'reference_taken'>()
  for (const { appointment } of entries) {
    const { id, status, facility_id, door_id, reference_number } = appointment
    if (present.some((row) => row.id === id)) conflicts.set(id, 'present')
    else if (!doors.some((door) => door.id === door_id && door.facility_id === facility_id))
      conflicts.set(id, 'no_door')
    else if (
      status === 'scheduled' &&
      taken.some((row) => row.facility_id === facility_id && row.reference_number === reference_number)
    )
      conflicts.set(id, 'reference_taken')
  }
  return conflicts
}

/** Stores appointments again, with the IDs of their changes where these are free. */
export async function insertArchivedAppointments(
  tx: WriteTx,
  tenantId: string,
  entries: readonly ArchivedAppointment[],
): Promise<void> {
  const db = docksTables(tx)
  for (const { appointment, changes, imports, occurrences } of entries) {
    const appointment_id = appointment.id
    await db
      .insertInto('appointment')
      .values({ ...appointment, tenant_id: tenantId })
      .execute()
    const ids = changes.map(({ id }) => id)
    const used =
      ids.length === 0 ? [] : await db.selectFrom('appointment_change').select('id').where('id', 'in', ids).execute()
    for (const { id, ...change } of changes) {
      const isFree = !used.some((row) => row.id === id)
      await db
        .insertInto('appointment_change')
        .values({ ...(isFree && { id }), ...change, appointment_id })
        .execute()
    }
    for (const row of imports)
      await db
        .insertInto('imported_row')
        .values({ ...row, facility_id: appointment.facility_id, appointment_id })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    for (const { series_id, date } of occurrences)
      await db
        .updateTable('series_occurrence')
        .set({ appointment_id })
        .where('series_id', '=', series_id)
        .where('date', '=', date)
        .where('appointment_id', 'is', null)
        .where('series_id', 'in', db.selectFrom('series').select('id').where('tenant_id', '=', tenantId))
        .execute()
  }
}
