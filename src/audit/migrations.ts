import type { Generated, Kysely } from 'kysely'
import type { Surface } from '../kernel'
import type { Migration } from '../storage'
import type { AuditOutcome } from './schemas'

export interface AuditTables {
  audit_entry: AuditEntryTable
}

/** A call that changed something, or tried to. It has no text of its input. */
export interface AuditEntryTable {
  id: Generated<number>
  /** When it was written, in milliseconds since 1970. */
  at: number
  request_id: string
  surface: Surface
  /** The name of the caller: of the account, the token or the person. */
  who: string
  /** The token, the dock key or the person: `token <ID>`, `key <ID>`, `person <ID>`. */
  credential: string | null
  /** The ID of the tenant of a dock key; for the command line, the name. */
  tenant: string | null
  address: string
  operation: string
  /** Between spaces: ` item:204 draft:7 `. */
  targets: string
  outcome: AuditOutcome
  /** The code of the error. */
  code: string | null
  /** How many such calls the entry counts. */
  times: number
}

export const auditMigration: Migration = {
  name: '0008-audit',
  async up(db: Kysely<any>) {
    await db.schema
      .createTable('audit_entry')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('request_id', 'text', (c) => c.notNull())
      .addColumn('surface', 'text', (c) => c.notNull())
      .addColumn('who', 'text', (c) => c.notNull())
      .addColumn('credential', 'text')
      .addColumn('tenant', 'text')
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('operation', 'text', (c) => c.notNull())
      .addColumn('targets', 'text', (c) => c.notNull())
      .addColumn('outcome', 'text', (c) => c.notNull())
      .addColumn('code', 'text')
      .addColumn('times', 'integer', (c) => c.notNull())
      .execute()
    // Other filters read the entries in this order: an index for each of them would slow every write down.
    await db.schema.createIndex('audit_entry_at').on('audit_entry').columns(['at', 'id']).execute()
  },
}
