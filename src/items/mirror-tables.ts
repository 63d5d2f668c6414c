import type { Migration } from '../storage'

/** What the workspace knows of the tracker that it mirrors. */
export interface MirrorTables {
  mirror: MirrorTable
  gone_item: GoneItemTable
  unfinished_import: UnfinishedImportTable
}

/** One row, once the first item is kept. */
export interface MirrorTable {
  id: number
  /** What tells the tracker and the project from others. */
  tracker: string
  /** Up to where all that is kept of the project is known to be as the tracker has it; opaque. */
  position: string | null
  /** When that was found, ISO 8601. */
  synced_at: string | null
}

/** Kept items that the tracker did not have, or did not show, when it was last asked for them. */
export interface GoneItemTable {
  item_id: number
  since: string
}

/** Imports that were begun and not ended: what was fetched since need not be fetched again. */
export interface UnfinishedImportTable {
  root_id: number
  started_at: string
}

export const mirrorMigration: Migration = {
  name: '0005-mirror',
  async up(db) {
    await db.schema
      .createTable('mirror')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('tracker', 'text', (c) => c.notNull())
      .addColumn('position', 'text')
      .addColumn('synced_at', 'text')
      .execute()
    await db.schema
      .createTable('gone_item')
      .addColumn('item_id', 'integer', (c) => c.primaryKey())
      .addColumn('since', 'text', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('unfinished_import')
      .addColumn('root_id', 'integer', (c) => c.primaryKey())
      .addColumn('started_at', 'text', (c) => c.notNull())
      .execute()
  },
}
