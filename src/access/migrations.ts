import type { Scope } from '../kernel'
import type { Migration } from '../storage'

export interface AccessTables {
  tenant: TenantTable
  tenant_key: TenantKeyTable
}

/** Times are epoch milliseconds. */
export interface TenantTable {
  id: string
  name: string
  created_at: number
}

export interface TenantKeyTable {
  id: string
  tenant_id: string
  /** Chosen by its owner. */
  name: string | null
  /** The public part, for lookups. */
  prefix: string
  /** SHA-256 of the whole key, hexadecimal. */
  hash: string
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
  scope: Scope
  /** The only carrier that it is for; null for the tenant itself. */
  carrier_name: string | null
}

export const accessMigration: Migration = {
  name: '0003-access',
  async up(db) {
    await db.schema
      .createTable('tenant')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull().unique())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('tenant_key')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenant.id'))
      .addColumn('name', 'text')
      .addColumn('prefix', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_used_at', 'bigint')
      .addColumn('revoked_at', 'bigint')
      .execute()
    await db.schema.createIndex('tenant_key_prefix').on('tenant_key').column('prefix').execute()
    await db.schema.createIndex('tenant_key_tenant').on('tenant_key').column('tenant_id').execute()
  },
}

export interface TokenTables {
  access_token: TokenTable
}

/** A personal access token, without its secret. Times are epoch milliseconds. */
export interface TokenTable {
  id: string
  /** Chosen by its owner. */
  name: string
  /** Scopes, separated by spaces: `read write`. */
  scopes: string
  /** The public part, for lookups. */
  prefix: string
  /** SHA-256 of the whole token, hexadecimal. */
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

export interface IdempotencyRecordTables {
  kept_answer: IdempotencyRecordTable
}

/** The first response to a request with an Idempotency-Key. Times are epoch milliseconds. */
export interface IdempotencyRecordTable {
  /** Digest of the tenant, the method, the path and the key. */
  id: string
  /** Digest of the request. The key is valid for this request only. */
  fingerprint: string
  /** JSON: RecordedOutcome; null only within the transaction of the request. */
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

export interface SessionTables {
  console_session: SessionTable
}

/** A browser that is signed in to the console, or a link that signs one in. Times are epoch milliseconds. */
export interface SessionTable {
  id: string
  /** The public part of its secret, for lookups. */
  prefix: string
  /** SHA-256 of the whole secret, hexadecimal. */
  hash: string
  /** 1 for a link that no browser has opened yet. */
  is_link: number
  /** The user, whose scopes are separated by spaces; both are null if only a dock key was given. */
  name: string | null
  scopes: string | null
  /** The token and the dock key that it was opened with. The session ends with either. Null if a link opened it. */
  token_id: string | null
  key_id: string | null
  tenant_id: string | null
  /** The link that opened the session, with the rights of the link alone. */
  link_id: string | null
  address: string | null
  user_agent: string | null
  created_at: number
  expires_at: number
  last_used_at: number | null
  revoked_at: number | null
}

export const consoleSessionsMigration: Migration = {
  name: '0020-console-sessions',
  async up(db) {
    await db.schema
      .createTable('console_session')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('prefix', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('is_link', 'integer', (c) => c.notNull())
      .addColumn('name', 'text')
      .addColumn('scopes', 'text')
      .addColumn('token_id', 'text', (c) => c.references('access_token.id'))
      .addColumn('key_id', 'text', (c) => c.references('tenant_key.id'))
      .addColumn('tenant_id', 'text', (c) => c.references('tenant.id'))
      .addColumn('address', 'text')
      .addColumn('user_agent', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('last_used_at', 'bigint')
      .addColumn('revoked_at', 'bigint')
      .execute()
    await db.schema.createIndex('console_session_prefix').on('console_session').column('prefix').execute()
  },
}

export const keyScopesMigration: Migration = {
  name: '0027-key-scopes',
  async up(db) {
    await db.schema
      .alterTable('tenant_key')
      .addColumn('scope', 'text', (c) => c.notNull().defaultTo('write'))
      .execute()
    await db.schema.alterTable('tenant_key').addColumn('carrier_name', 'text').execute()
  },
}

/**
 * Sessions of links name their link. Of those that exist, some that a link opened have the scopes of a token that the browser signed in
 * with later. Nothing stored distinguishes them, so their users sign in again.
 */
export const sessionLinksMigration: Migration = {
  name: '0035-session-links',
  async up(db) {
    await db.schema.alterTable('console_session').addColumn('link_id', 'text').execute()
    await db
      .deleteFrom('console_session')
      .where('is_link', '=', 0)
      .where('tenant_id', 'is not', null)
      .where('key_id', 'is', null)
      .execute()
  },
}
