import type { Kysely } from 'kysely'
import type { DockRole, Role } from '../kernel'
import { createInvitationTables } from './invitation-tables'

/** Creates the tables of who may do what. Each refers to those before it. */
export async function createAccessTables(db: Kysely<any>): Promise<void> {
  await createTenantTable(db)
  await createTenantKeyTable(db)
  await createAccessTokenTable(db)
  await createPersonTable(db)
  await createStaffMemberTable(db)
  await createConsoleSessionTable(db)
  await createSignInAttemptTable(db)
  await createInvitationTables(db)
  await createKeptAnswerTable(db)
}

/** The organizations whose docks are separate. */
export interface TenantTable {
  id: string
  name: string
  created_at: number
}

async function createTenantTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('tenant')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
}

/** A dock key, without its secret. */
export interface TenantKeyTable {
  id: string
  tenant_id: string
  /** Chosen by its owner. */
  name: string
  /** The public part, for lookups. */
  prefix: string
  /** SHA-256 of the whole key, hexadecimal. */
  hash: string
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
  role: DockRole
  /** The only carrier that it is for; null for the tenant itself. */
  carrier_name: string | null
}

async function createTenantKeyTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('tenant_key')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenant.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('carrier_name', 'text')
    .execute()
  await db.schema.createIndex('tenant_key_prefix').on('tenant_key').column('prefix').execute()
  await db.schema.createIndex('tenant_key_tenant').on('tenant_key').column('tenant_id').execute()
}

/** A personal access token, without its secret. */
export interface TokenTable {
  id: string
  /** Chosen by its owner. */
  name: string
  role: Role
  /** The public part, for lookups. */
  prefix: string
  /** SHA-256 of the whole token, hexadecimal. */
  hash: string
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  revoked_at: number | null
}

async function createAccessTokenTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('access_token')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('access_token_prefix').on('access_token').column('prefix').execute()
}

/** Someone who signs in to the console with a link by mail. */
export interface PersonTable {
  /** In lower case. */
  email: string
  /** Null to be called by the address. */
  name: string | null
  role: Role
  created_at: number
}

async function createPersonTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('person')
    .addColumn('email', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text')
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
}

/** Someone who acts for a tenant at its docks. */
export interface StaffMemberTable {
  id: string
  tenant_id: string
  /** In lower case, once a tenant. */
  email: string
  name: string
  role: DockRole
  created_at: number
}

async function createStaffMemberTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('staff_member')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenant.id'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('staff_member_address', ['email', 'tenant_id'])
    .execute()
  await db.schema.createIndex('staff_member_tenant').on('staff_member').columns(['tenant_id', 'email']).execute()
}

/** A browser that is signed in to the console, or a link that signs one in. */
export interface SessionTable {
  id: string
  /** The public part of its secret, for lookups. */
  prefix: string
  /** SHA-256 of the whole secret, hexadecimal. */
  hash: string
  /** 1 for a link that no browser has opened yet. */
  is_link: number
  /** The user; both are null if only a dock key was given, and a JWT may have no role. */
  name: string | null
  role: Role | null
  /** What a link allows at the docks of its tenant. */
  dock_role: DockRole | null
  /** 1 for a screen that shows the docks, whose session is renewed while it is used. */
  is_screen: number
  /** The token and the dock key that it was opened with. The session ends with either. Null if a link opened it. */
  token_id: string | null
  key_id: string | null
  tenant_id: string | null
  /** The link that opened the session, with the rights of the link alone. */
  link_id: string | null
  /** The person whose link it is, or opened it. What changes or removes the person changes or ends it too. */
  person_email: string | null
  /** The address that the user has proven to have, by a mailed link or by the provider, and when. It opens the memberships of that time. */
  verified_email: string | null
  verified_at: number | null
  /** The membership that the session acts with; null until the user chooses one of several. */
  member_id: string | null
  /** The subject at the provider with which a person signed in; null for others. */
  subject: string | null
  /** The session at the provider, if it has an ID. */
  provider_session: string | null
  /** The provider's tokens, sealed. */
  provider_tokens: string | null
  /** When the provider was last asked, and when it last confirmed the person. */
  checked_at: number | null
  confirmed_at: number | null
  address: string | null
  user_agent: string | null
  created_at: number
  expires_at: number
  last_used_at: number | null
  revoked_at: number | null
}

async function createConsoleSessionTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('console_session')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('is_link', 'integer', (c) => c.notNull())
    .addColumn('name', 'text')
    .addColumn('role', 'text')
    .addColumn('dock_role', 'text')
    .addColumn('is_screen', 'integer', (c) => c.notNull())
    .addColumn('token_id', 'text', (c) => c.references('access_token.id'))
    .addColumn('key_id', 'text', (c) => c.references('tenant_key.id'))
    .addColumn('tenant_id', 'text', (c) => c.references('tenant.id'))
    .addColumn('link_id', 'text')
    .addColumn('person_email', 'text')
    .addColumn('verified_email', 'text')
    .addColumn('verified_at', 'bigint')
    .addColumn('member_id', 'text')
    .addColumn('subject', 'text')
    .addColumn('provider_session', 'text')
    .addColumn('provider_tokens', 'text')
    .addColumn('checked_at', 'bigint')
    .addColumn('confirmed_at', 'bigint')
    .addColumn('address', 'text')
    .addColumn('user_agent', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('console_session_prefix').on('console_session').column('prefix').execute()
}

/** A browser on its way to the provider and back. */
export interface SignInAttemptTable {
  /** SHA-256 of the secret in the cookie of the browser, hexadecimal. */
  id: string
  state: string
  nonce: string
  /** What proves that the code was requested here (RFC 7636). */
  code_verifier: string
  /** The page to open afterwards. */
  next_page: string
  expires_at: number
}

async function createSignInAttemptTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('sign_in_attempt')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('nonce', 'text', (c) => c.notNull())
    .addColumn('code_verifier', 'text', (c) => c.notNull())
    .addColumn('next_page', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sign_in_attempt_expiry').on('sign_in_attempt').column('expires_at').execute()
}

/** The first response to a request with an Idempotency-Key. */
export interface IdempotencyRecordTable {
  /** Digest of the tenant, the method, the path and the key. */
  id: string
  /** Digest of the request. The key is valid for this request only. */
  fingerprint: string
  /** JSON: RecordedOutcome; null only within the transaction of the request. */
  outcome: string | null
  expires_at: number
}

async function createKeptAnswerTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('kept_answer')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('outcome', 'text')
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('kept_answer_expiry').on('kept_answer').column('expires_at').execute()
}
