import type { Generated, Kysely } from 'kysely'

/** Imports that were interrupted. Items that were fetched since need not be fetched again. */
export interface UnfinishedImportTable {
  root_id: number
  started_at: string
}

export async function createUnfinishedImportTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('unfinished_import')
    .addColumn('root_id', 'integer', (c) => c.primaryKey())
    .addColumn('started_at', 'text', (c) => c.notNull())
    .execute()
}

/** The files that items were read from. */
export interface FileImportTable {
  id: Generated<number>
  name: string
  /** The latest time that the file can show, ISO 8601; null if unknown. */
  as_of: string | null
  imported_at: string
  /** Host and organization of the tracker that the file names, if any. */
  tracker: string | null
}

export async function createFileImportTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('file_import')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('as_of', 'text')
    .addColumn('imported_at', 'text', (c) => c.notNull())
    .addColumn('tracker', 'text')
    .execute()
}
