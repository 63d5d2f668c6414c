import type { Generated, Kysely } from 'kysely'
import type { Engine } from '../../storage'

/** A file of an item that an import has stored. */
export interface ItemAttachmentTable {
  id: Generated<number>
  item_id: number
  /** The tracker's own ID, which stays the same as long as the content does. */
  attachment_id: string
  /** As the tracker has it. */
  name: string
  /** What its first bytes say; null for any other file. */
  media_type: string | null
  bytes: number
  /** Hexadecimal. */
  sha256: string
  author: string | null
  /** ISO 8601; null if the tracker did not say it. */
  created_at: string | null
  fetched_at: string
}

/** A piece of the content of a file. */
export interface ItemAttachmentPartTable {
  item_attachment_id: number
  /** From 0 on. */
  part: number
  content: Uint8Array
}

export async function createAttachmentTables(db: Kysely<any>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('item_attachment')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('item_id', 'integer', (c) => c.notNull())
    .addColumn('attachment_id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('media_type', 'text')
    .addColumn('bytes', 'integer', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('author', 'text')
    .addColumn('created_at', 'text')
    .addColumn('fetched_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('item_attachment_key', ['item_id', 'attachment_id'])
    .execute()
  await db.schema
    .createTable('item_attachment_part')
    .addColumn('item_attachment_id', 'integer', (c) => c.notNull().references('item_attachment.id'))
    .addColumn('part', 'integer', (c) => c.notNull())
    .addColumn('content', engine === 'postgres' ? 'bytea' : 'blob', (c) => c.notNull())
    .addPrimaryKeyConstraint('item_attachment_part_key', ['item_attachment_id', 'part'])
    .execute()
}
