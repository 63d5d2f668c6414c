import type { Migration } from '../storage'

/** A row of an imported file that was booked. */
export interface ImportedRowTable {
  facility_id: string
  /** SHA-256 of what the row asks for. */
  row_hash: string
  /** The run of the import that booked it. */
  import_id: string
  appointment_id: string
  imported_at: number
}

export const importedRowsMigration: Migration = {
  name: '0013-imported-rows',
  async up(db) {
    await db.schema
      .createTable('imported_row')
      .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
      .addColumn('row_hash', 'text', (c) => c.notNull())
      .addColumn('import_id', 'text', (c) => c.notNull())
      .addColumn('appointment_id', 'text', (c) => c.notNull().references('appointment.id'))
      .addColumn('imported_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('imported_row_key', ['facility_id', 'row_hash'])
      .execute()
  },
}
