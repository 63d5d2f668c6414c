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

/** A file that a text of an item shows and that was sent to the item, so that no call sends it again. */
export interface ItemUploadTable {
  item_id: number
  /** Of the content, hexadecimal. */
  sha256: string
  name: string
  /** The address by which a text of the item shows it; null until the response of the tracker. */
  url: string | null
  /** Until when only the call that began sending may send it, ISO 8601. */
  claimed_until: string
}

export async function createItemUploadTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('item_upload')
    .addColumn('item_id', 'integer', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('url', 'text')
    .addColumn('claimed_until', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('item_upload_key', ['item_id', 'sha256'])
    .execute()
}
