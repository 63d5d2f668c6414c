import type { Kysely } from 'kysely'

/** A booking that waits for a free slot. The order of a facility is that of `created_at` and `id`. */
export interface WaitlistEntryTable {
  id: string
  tenant_id: string
  facility_id: string
  /** JSON: WaitRequest */
  request: string
  created_at: number
  /** The hold of the slot that is offered, even if it has expired; null if none is. */
  hold_id: string | null
  /** JSON: the offered slot with its expiry */
  offer: string | null
  /** JSON: number[], the starts of the offers that were declined or expired */
  declined: string
  /** Who added it, as in a change of an appointment. */
  caller: string
  /** The carrier whose key added it, whose own limits its offers obey; null if the site added it. */
  carrier: string | null
}

export async function createWaitlistEntryTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('waitlist_entry')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('tenant_id', 'text', (c) => c.notNull())
    .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
    .addColumn('request', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('hold_id', 'text')
    .addColumn('offer', 'text')
    .addColumn('declined', 'text', (c) => c.notNull())
    .addColumn('caller', 'text')
    .addColumn('carrier', 'text')
    .execute()
  await db.schema
    .createIndex('waitlist_entry_facility')
    .on('waitlist_entry')
    .columns(['facility_id', 'created_at', 'id'])
    .execute()
  await db.schema.createIndex('waitlist_entry_hold').on('waitlist_entry').column('hold_id').execute()
}
