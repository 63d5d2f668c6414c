import type { Migration } from '../storage'

export interface TokenTables {
  access_token: TokenTable
}

/** A personal access token, without its secret. Times are epoch milliseconds. */
export interface TokenTable {
  id: string
  /** What its owner calls it */
  name: string
  /** Scopes with a space between: `read write` */
  scopes: string
  /** The public part, to find it by */
  prefix: string
  /** SHA-256 of the whole token, hexadecimal */
  hash: string
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  revoked_at: number | null
}

export const tokensMigration: Migration = {
  name: '0009-access-tokens',
  async up(db) {
    await db.schema
      .createTable('access_token')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('scopes', 'text', (c) => c.notNull())
      .addColumn('prefix', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .addColumn('revoked_at', 'bigint')
      .execute()
    await db.schema.createIndex('access_token_prefix').on('access_token').column('prefix').execute()
  },
}
