import type { Kysely } from 'kysely'
import type { Engine } from '../../storage'
import type { FileType } from './rules/file-type'

/** A file of an appointment, such as the photo of a bill of lading. It is never changed. */
export interface AttachmentTable {
  id: string
  appointment_id: string
  name: string
  /** What its first bytes say. */
  type: FileType
  /** Its length. */
  bytes: number
  /** Hexadecimal. */
  sha256: string
  note: string | null
  added_at: number
  /** As in a change of an appointment. */
  caller: string
  caller_name: string | null
}

/** A piece of the content of a file. A whole file in one row would take several times its length of memory. */
export interface AttachmentPartTable {
  attachment_id: string
  /** From 0 on. */
  part: number
  content: Uint8Array
}

export async function createAttachmentTables(db: Kysely<any>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('appointment_attachment')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('appointment_id', 'text', (c) => c.notNull().references('appointment.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('bytes', 'integer', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('note', 'text')
    .addColumn('added_at', 'bigint', (c) => c.notNull())
    .addColumn('caller', 'text', (c) => c.notNull())
    .addColumn('caller_name', 'text')
    .execute()
  await db.schema
    .createIndex('appointment_attachment_appointment')
    .on('appointment_attachment')
    .columns(['appointment_id', 'added_at', 'id'])
    .execute()
  await db.schema
    .createTable('attachment_part')
    .addColumn('attachment_id', 'text', (c) => c.notNull().references('appointment_attachment.id'))
    .addColumn('part', 'integer', (c) => c.notNull())
    .addColumn('content', engine === 'postgres' ? 'bytea' : 'blob', (c) => c.notNull())
    .addPrimaryKeyConstraint('attachment_part_key', ['attachment_id', 'part'])
    .execute()
}
