import type { Kysely } from 'kysely'

/** What lets a carrier use the portal of a tenant, until it expires or is revoked. */
export interface InvitationTable {
  id: string
  tenant_id: string
  carrier_name: string
  /** In lower case; null if the link is handed over in another way. Who reads its mails can request further links. */
  email: string | null
  created_at: number
  expires_at: number
  last_used_at: number | null
  revoked_at: number | null
}

/** A link that opens the portal in one browser, or a browser that has it open. Its kind is in the prefix. It is worth nothing without its invitation. */
export interface PortalCredentialTable {
  id: string
  invitation_id: string
  /** The public part of its secret, for lookups. */
  prefix: string
  /** SHA-256 of the whole secret, hexadecimal. */
  hash: string
  created_at: number
  expires_at: number
  /** When a link was used, or a browser signed out. */
  ended_at: number | null
}

export async function createInvitationTables(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('carrier_invitation')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenant.id'))
    .addColumn('carrier_name', 'text', (c) => c.notNull())
    .addColumn('email', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('carrier_invitation_tenant').on('carrier_invitation').column('tenant_id').execute()
  await db.schema.createIndex('carrier_invitation_email').on('carrier_invitation').column('email').execute()
  await db.schema
    .createTable('portal_credential')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('invitation_id', 'text', (c) => c.notNull().references('carrier_invitation.id'))
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .execute()
  await db.schema.createIndex('portal_credential_prefix').on('portal_credential').column('prefix').execute()
}
