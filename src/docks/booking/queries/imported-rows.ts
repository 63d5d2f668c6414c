import { chunksOf } from '../../../kernel/work/chunks'
import type { ReadTx, WriteTx } from '../../../storage'
import { docksTables } from '../../queries/docks-tables'
import { type AppointmentRecord, findAppointmentsById } from './appointments'

/** A booked row of an import. */
export interface ImportedRow {
  facilityId: string
  rowHash: string
  importId: string
  appointmentId: string
}

/** Engines limit the number of values in a statement. */
const MAX_VALUES = 150

/** The appointments of rows that another import than `importId` has booked, by the hash of the row. */
export async function findImportedAppointments(
  tx: ReadTx,
  { facilityId, importId }: { facilityId: string; importId: string },
  rowHashes: readonly string[],
): Promise<Map<string, AppointmentRecord>> {
  const found = new Map<string, AppointmentRecord>()
  for (const part of chunksOf(rowHashes, MAX_VALUES)) {
    const rows = await docksTables(tx)
      .selectFrom('imported_row')
      .select(['row_hash', 'appointment_id'])
      .where('facility_id', '=', facilityId)
      .where('row_hash', 'in', part)
      .where('import_id', '<>', importId)
      .execute()
    if (rows.length === 0) continue
    const ids = rows.map(({ appointment_id }) => appointment_id)
    const appointments = new Map((await findAppointmentsById(tx, ids)).map((record) => [record.id, record]))
    for (const { row_hash, appointment_id } of rows) found.set(row_hash, appointments.get(appointment_id)!)
  }
  return found
}

/** Saves which appointment was booked for each row, and replaces the appointment of an earlier import. */
export async function saveImportedRows(tx: WriteTx, rows: readonly ImportedRow[], importedAt: number): Promise<void> {
  for (const part of chunksOf(rows, MAX_VALUES)) {
    await docksTables(tx)
      .insertInto('imported_row')
      .values(
        part.map(({ facilityId, rowHash, importId, appointmentId }) => ({
          facility_id: facilityId,
          row_hash: rowHash,
          import_id: importId,
          appointment_id: appointmentId,
          imported_at: importedAt,
        })),
      )
      .onConflict((existing) =>
        existing.columns(['facility_id', 'row_hash']).doUpdateSet((row) => ({
          import_id: row.ref('excluded.import_id'),
          appointment_id: row.ref('excluded.appointment_id'),
          imported_at: row.ref('excluded.imported_at'),
        })),
      )
      .execute()
  }
}
