import type { Generated } from 'kysely'
import type { Migration } from '../storage'

/** Files that work items were read from, in place of the tracker. */
export interface FileImportTables {
  file_import: FileImportTable
}

export interface FileImportTable {
  id: Generated<number>
  /** As it was named. */
  name: string
  /** What the file shows is no later than this, ISO 8601; null where nothing tells. */
  as_of: string | null
  imported_at: string
  /** Host and organization of the tracker that it tells of; null where it does not say. */
  tracker: string | null
}

export const fileImportsMigration: Migration = {
  name: '0011-file-imports',
  async up(db) {
    await db.schema
      .createTable('file_import')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('as_of', 'text')
      .addColumn('imported_at', 'text', (c) => c.notNull())
      .addColumn('tracker', 'text')
      .execute()
    await db.schema.alterTable('work_item').addColumn('file_import_id', 'integer').execute()
    await db.schema.alterTable('snapshot').addColumn('file_import_id', 'integer').execute()
  },
}
