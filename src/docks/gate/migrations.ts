import type { Kysely } from 'kysely'

/** A link with which drivers check in at a facility, without its secret. Times are epoch milliseconds. */
export interface GateLinkTable {
  id: string
  tenant_id: string
  facility_id: string
  name: string
  /** 1 for a screen that drivers share. */
  is_kiosk: number
  /** The public part of its secret, for lookups. */
  prefix: string
  /** SHA-256 of the whole secret, hexadecimal. */
  hash: string
  created_at: number
  /** Null if it does not expire. */
  expires_at: number | null
  last_used_at: number | null
  revoked_at: number | null
}

/** What the page of a driver who has checked in reads the visit with. */
export interface GateVisitTable {
  /** SHA-256 of the secret that the page holds, hexadecimal. */
  hash: string
  link_id: string
  appointment_id: string
  expires_at: number
}

export async function createGateTables(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('gate_link')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenant.id'))
    .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('is_kiosk', 'integer', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('gate_link_prefix').on('gate_link').column('prefix').execute()
  await db.schema.createIndex('gate_link_facility').on('gate_link').columns(['facility_id', 'created_at']).execute()
  // Without a foreign key to the appointment, which may be archived before the row expires.
  await db.schema
    .createTable('gate_visit')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('link_id', 'text', (c) => c.notNull().references('gate_link.id'))
    .addColumn('appointment_id', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('gate_visit_expiry').on('gate_visit').column('expires_at').execute()
}
