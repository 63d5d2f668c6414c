import type { Kysely } from 'kysely'
import type { AppointmentType } from '../facilities/rules/facility'

/** How many requests of a type got no slot, by the local date on which they were made and the reason. */
export interface RefusedRequestTable {
  facility_id: string
  /** Days since 1970-01-01. */
  day: number
  type: AppointmentType
  reason: string
  count: number
}

export async function createRefusedRequestTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('refused_request')
    .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
    .addColumn('day', 'integer', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('refused_request_key', ['facility_id', 'day', 'type', 'reason'])
    .execute()
}
