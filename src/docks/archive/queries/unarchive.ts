import { sql } from 'kysely'
import { chunksOf } from '../../../kernel/work/chunks'
import { getEngine, type ReadTx, type WriteTx } from '../../../storage'
import { insertAttachment } from '../../attachments/queries/attachments'
import type { AppointmentTable } from '../../booking/migrations'
import { insertReferences, listScheduledWith } from '../../booking/queries/appointment-references'
import { listNumbers } from '../../booking/rules/references'
import { docksTables } from '../../queries/docks-tables'
import type { ArchivedAppointment } from './archive'

/** Engines limit the number of values in a statement. */
const MAX_VALUES = 150

/** Why an appointment cannot be stored again. */
export type ArchiveConflict = 'present' | 'no_door' | 'reference_taken'

/** Which of the appointments can be stored again, and why the others cannot. */
export async function findArchiveConflicts(
  tx: ReadTx,
  tenantId: string,
  entries: readonly ArchivedAppointment[],
): Promise<Map<string, ArchiveConflict>> {
  const db = docksTables(tx)
  const ids = entries.map(({ appointment }) => appointment.id)
  const present = await db.selectFrom('appointment').select(['id', 'tenant_id']).where('id', 'in', ids).execute()
  const owners = new Map(present.map((row) => [row.id, row.tenant_id]))
  const doors = await db
    .selectFrom('door')
    .innerJoin('facility', 'facility.id', 'door.facility_id')
    .select(['door.id', 'door.facility_id'])
    .where('facility.tenant_id', '=', tenantId)
    .where('door.id', 'in', [...new Set(entries.map(({ appointment }) => appointment.door_id))])
    .execute()
  const scheduled = entries.filter(({ appointment }) => appointment.status === 'scheduled')
  const taken = new Set<string>()
  for (const facilityId of new Set(scheduled.map(({ appointment }) => appointment.facility_id))) {
    const own = scheduled.filter(({ appointment }) => appointment.facility_id === facilityId)
    const numbers = own.flatMap(({ appointment }) => listNumbers(toReferenced(appointment)))
    for (const { number } of await listScheduledWith(tx, facilityId, numbers)) taken.add(`${facilityId} ${number}`)
  }
  const conflicts = new Map<string, ArchiveConflict>()
  for (const { appointment } of entries) {
    const { id, status, facility_id, door_id } = appointment
    if (owners.has(id)) conflicts.set(id, owners.get(id) === tenantId ? 'present' : 'no_door')
    else if (!doors.some((door) => door.id === door_id && door.facility_id === facility_id))
      conflicts.set(id, 'no_door')
    else if (
      status === 'scheduled' &&
      listNumbers(toReferenced(appointment)).some((number) => taken.has(`${facility_id} ${number}`))
    )
      conflicts.set(id, 'reference_taken')
  }
  return conflicts
}

function toReferenced({ id, facility_id, reference_number, reference_list }: AppointmentTable) {
  return { id, facilityId: facility_id, referenceNumber: reference_number, references: reference_list }
}

/** Stores appointments again. Their changes have the same IDs, unless these are taken or were never assigned in this database. */
export async function insertArchivedAppointments(
  tx: WriteTx,
  tenantId: string,
  entries: readonly ArchivedAppointment[],
): Promise<void> {
  const db = docksTables(tx)
  const lastId = await findLastAssignedChangeId(tx)
  for (const { appointment, changes, imports, occurrences, attachments } of entries) {
    const appointment_id = appointment.id
    await db
      .insertInto('appointment')
      .values({ ...appointment, tenant_id: tenantId })
      .execute()
    await insertReferences(tx, toReferenced(appointment))
    const keepsIds = await areFreeChangeIds(
      tx,
      changes.map(({ id }) => id),
      lastId,
    )
    for (const { id, ...change } of changes)
      await db
        .insertInto('appointment_change')
        .values({ ...(keepsIds && { id }), ...change, appointment_id })
        .execute()
    for (const row of imports)
      await db
        .insertInto('imported_row')
        .values({ ...row, facility_id: appointment.facility_id, appointment_id })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    for (const { content, ...attachment } of attachments)
      await insertAttachment(tx, { ...attachment, appointment_id }, Buffer.from(content ?? '', 'base64'))
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

/** An ID after the last one that was assigned would be assigned again by a later booking, which would fail. */
async function areFreeChangeIds(tx: ReadTx, ids: readonly number[], lastId: number): Promise<boolean> {
  if (ids.some((id) => id > lastId)) return false
  for (const part of chunksOf(ids, MAX_VALUES)) {
    const used = docksTables(tx).selectFrom('appointment_change').select('id').where('id', 'in', part).limit(1)
    if ((await used.execute()).length > 0) return false
  }
  return true
}

async function findLastAssignedChangeId(tx: ReadTx): Promise<number> {
  const query =
    getEngine(tx) === 'postgres'
      ? sql<{ last: number | null }>`
          select pg_sequence_last_value(pg_get_serial_sequence('appointment_change', 'id')::regclass) as last`
      : sql<{ last: number | null }>`select seq as last from sqlite_sequence where name = 'appointment_change'`
  return (await query.execute(docksTables(tx))).rows[0]?.last ?? 0
}
