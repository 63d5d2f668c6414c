import type { Kysely } from 'kysely'

/** Items that are being created, and created ones that still have their markers. */
export interface CreationTable {
  key: string
  marker: string
  type: string
  started_at: string
  claimed_until: string
  /** JSON: what the item was last sent from */
  sent: string | null
  item_id: number | null
}

export async function createCreationTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('creation')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('marker', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('started_at', 'text', (c) => c.notNull())
    .addColumn('claimed_until', 'text', (c) => c.notNull())
    .addColumn('sent', 'text')
    .addColumn('item_id', 'integer')
    .execute()
}
