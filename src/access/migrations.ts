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
  /** What its owner calls it */
  name: string | null
  /** The public part, to find it by */
  prefix: string
  /** SHA-256 of the whole key, hexadecimal */
  hash: string
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
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
