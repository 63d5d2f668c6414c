import type { Migration } from '../../storage'

export interface IterationTables {
  iteration: IterationTable
}

/** The tracker's iterations, so that reports know which have ended. */
export interface IterationTable {
  path: string
  /** The last day, ISO 8601; null where the tracker gives no dates. */
  finish_date: string | null
}

export const iterationsMigration: Migration = {
  name: '0014-iterations',
  async up(db) {
    await db.schema
      .createTable('iteration')
      .addColumn('path', 'text', (c) => c.primaryKey())
      .addColumn('finish_date', 'text')
      .execute()
  },
}
