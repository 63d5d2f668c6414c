import { isDeepStrictEqual } from 'node:util'
import type { Selectable } from 'kysely'
import { forUpdate, type ReadTx, type WriteTx } from '../../../storage'
import {
  type AttachmentRecord,
  listAttachments,
  readAttachmentContent,
  removeAttachments,
} from '../../attachments/queries/attachments'
import type { AppointmentTable } from '../../booking/migrations'
import { removeReferences } from '../../booking/queries/appointment-references'
import type { DocksTables } from '../../migrations'
import { docksTables } from '../../queries/docks-tables'

/** An appointment with all rows that belong to it, as they are stored. */
export interface ArchivedAppointment {
  appointment: AppointmentTable
  /** Its history, oldest first. */
  changes: Omit<Selectable<DocksTables['appointment_change']>, 'appointment_id'>[]
  /** The rows of imported files from which it was booked. */
  imports: Omit<DocksTables['imported_row'], 'appointment_id' | 'facility_id'>[]
  /** The dates of series for which it was booked. */
  occurrences: Pick<DocksTables['series_occurrence'], 'series_id' | 'date'>[]
  attachments: ArchivedAttachment[]
}

export interface ArchivedAttachment extends Omit<AttachmentRecord, 'appointment_id'> {
  /** In Base64. A file has it; it is not read for a comparison, because it never changes. */
  content?: string
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

/** Appointments that ended before `before`, by start, from the position on. Leaves out those with events that a webhook has not accepted yet. */
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
  return docksTables(tx)
    .selectFrom('appointment')
    .where('facility_id', '=', facilityId)
    .where('start_at', '<', before)
    .where('end_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_delivery')
            .select('event_id')
            .whereRef('webhook_delivery.subject_id', '=', 'appointment.id'),
        ),
      ),
    )
}

/** The appointment as a file stores it. An attachment that was removed meanwhile is left out. */
export async function addContents(tx: ReadTx, entry: ArchivedAppointment): Promise<ArchivedAppointment> {
  const attachments: ArchivedAttachment[] = []
  for (const attachment of entry.attachments) {
    const content = await readAttachmentContent(tx, attachment.id)
    if (content.length > 0) attachments.push({ ...attachment, content: content.toString('base64') })
  }
  return { ...entry, attachments }
}

function omitContents(entry: ArchivedAppointment | undefined): ArchivedAppointment | undefined {
  return entry && { ...entry, attachments: entry.attachments.map(({ content, ...attachment }) => attachment) }
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
  const attachments = await listAttachments(tx, ids)
  return appointments.map((appointment) => {
    const isOwn = (row: { appointment_id: string | null }) => row.appointment_id === appointment.id
    return {
      appointment,
      changes: changes.filter(isOwn).map(({ appointment_id, ...row }) => row),
      imports: imports.filter(isOwn).map(({ appointment_id, facility_id, ...row }) => row),
      occurrences: occurrences.filter(isOwn).map(({ series_id, date }) => ({ series_id, date })),
      attachments: attachments.filter(isOwn).map(({ appointment_id, ...row }) => row),
    }
  })
}

/** How many appointments were removed, and how many were not because they have changed. The others did not exist. */
export interface ArchiveRemoval {
  removed: number
  changed: number
}

/** Removes appointments of a tenant with their rows, except those that differ from what was read. */
export async function deleteUnchangedAppointments(
  tx: WriteTx,
  tenantId: string,
  archived: readonly ArchivedAppointment[],
): Promise<ArchiveRemoval> {
  const db = docksTables(tx)
  const read = new Map(archived.map((entry) => [entry.appointment.id, entry]))
  await lockArchiveFacilities(tx, archived)
  const stored = await forUpdate(
    tx,
    db
      .selectFrom('appointment')
      .selectAll()
      .where('id', 'in', [...read.keys()])
      .where('tenant_id', '=', tenantId),
  ).execute()
  const now = await addRelatedRows(tx, stored)
  const unchanged = now.filter((entry) => isDeepStrictEqual(entry, omitContents(read.get(entry.appointment.id))))
  const ids = unchanged.map(({ appointment }) => appointment.id)
  const report = { removed: ids.length, changed: stored.length - ids.length }
  if (ids.length === 0) return report
  await db.updateTable('series_occurrence').set({ appointment_id: null }).where('appointment_id', 'in', ids).execute()
  await db.deleteFrom('imported_row').where('appointment_id', 'in', ids).execute()
  await removeReferences(tx, ids)
  await removeAttachments(
    tx,
    unchanged.flatMap(({ attachments }) => attachments.map(({ id }) => id)),
  )
  await db.deleteFrom('appointment_change').where('appointment_id', 'in', ids).execute()
  await db.deleteFrom('appointment').where('id', 'in', ids).execute()
  return report
}

/** Everything that changes an appointment locks its facility first, so no change is between a reading and a writing. */
export async function lockArchiveFacilities(tx: WriteTx, entries: readonly ArchivedAppointment[]): Promise<void> {
  const ids = [...new Set(entries.map(({ appointment }) => appointment.facility_id))]
  const query = docksTables(tx).selectFrom('facility').select('id').where('id', 'in', ids).orderBy('id')
  await forUpdate(tx, query).execute()
}
