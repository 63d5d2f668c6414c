import type { Migration } from '../storage'

export interface IdempotencyRecordTables {
  kept_answer: IdempotencyRecordTable
}

/** The first answer to a call that came with an Idempotency-Key. Times are epoch milliseconds. */
export interface IdempotencyRecordTable {
  /** Digest of the tenant, the method, the path and the key. */
  id: string
  /** Digest of what was sent; the key is for that alone. */
  fingerprint: string
  /** JSON: KeptOutcome; null only within the transaction that answers. */
  outcome: string | null
  expires_at: number
}

export const idempotencyRecordsMigration: Migration = {
  name: '0006-kept-answers',
  async up(db) {
    await db.schema
      .createTable('kept_answer')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('outcome', 'text')
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('kept_answer_expiry').on('kept_answer').column('expires_at').execute()
  },
}
