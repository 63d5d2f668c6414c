import { type Generated, type Kysely, sql } from 'kysely'
import type { TrailerStep } from './rules/trailer-steps'

/** A place of the yard where a trailer can be parked. */
export interface YardSpotTable {
  id: string
  facility_id: string
  name: string
  /** Removed spots stay because the history of trailers refers to them; null while the spot exists. */
  removed_at: number | null
}

/** A trailer that is or was in the yard, as its steps left it. Times are epoch milliseconds. */
export interface TrailerTable {
  id: string
  tenant_id: string
  facility_id: string
  number: string
  /** The number as `normalizeNumber` writes it: calls compare these. */
  number_key: string
  carrier_name: string
  is_loaded: number
  /** Without a foreign key: the appointment may be archived. */
  appointment_id: string | null
  /** Of `spot_id` and `door_id` at most one is set: none while it has no place. After it has left, its last place. */
  spot_id: string | null
  door_id: string | null
  note: string | null
  arrived_at: number
  /** When it came to its place. */
  placed_at: number
  /** Null while it is in the yard. */
  left_at: number | null
}

/** A step of a trailer. */
export interface TrailerStepTable {
  id: Generated<number>
  trailer_id: string
  kind: TrailerStep
  /** When it was recorded. */
  at: number
  /** When it happened. */
  occurred_at: number
  /** As in a change of an appointment. */
  caller: string
  caller_name: string | null
  /** JSON of a `TrailerState`: all that is known of the trailer after the step. */
  state: string
  /** That of the state: an appointment is found by the trailers that ever had it. */
  appointment_id: string | null
  undone_at: number | null
  undone_by: string | null
}

export async function createYardTables(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('yard_spot')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('removed_at', 'bigint')
    .addUniqueConstraint('yard_spot_name', ['facility_id', 'name'])
    .execute()
  await db.schema
    .createTable('trailer')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenant.id'))
    .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
    .addColumn('number', 'text', (c) => c.notNull())
    .addColumn('number_key', 'text', (c) => c.notNull())
    .addColumn('carrier_name', 'text', (c) => c.notNull())
    .addColumn('is_loaded', 'integer', (c) => c.notNull())
    .addColumn('appointment_id', 'text')
    .addColumn('spot_id', 'text', (c) => c.references('yard_spot.id'))
    .addColumn('door_id', 'text', (c) => c.references('door.id'))
    .addColumn('note', 'text')
    .addColumn('arrived_at', 'bigint', (c) => c.notNull())
    .addColumn('placed_at', 'bigint', (c) => c.notNull())
    .addColumn('left_at', 'bigint')
    .addCheckConstraint('trailer_place', sql`spot_id is null or door_id is null`)
    .execute()
  await db.schema.createIndex('trailer_arrival').on('trailer').columns(['facility_id', 'arrived_at', 'id']).execute()
  await db.schema.createIndex('trailer_number').on('trailer').columns(['facility_id', 'number_key']).execute()
  // A number is in a yard once, and a place has one trailer, even if another program writes to the tables.
  for (const column of ['facility_id', 'spot_id', 'door_id']) {
    await db.schema
      .createIndex(`trailer_once_by_${column}`)
      .on('trailer')
      .unique()
      .columns(column === 'facility_id' ? [column, 'number_key'] : [column])
      .where('left_at', 'is', null)
      .execute()
  }
  await db.schema
    .createTable('trailer_step')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('trailer_id', 'text', (c) => c.notNull().references('trailer.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('occurred_at', 'bigint', (c) => c.notNull())
    .addColumn('caller', 'text', (c) => c.notNull())
    .addColumn('caller_name', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('appointment_id', 'text')
    .addColumn('undone_at', 'bigint')
    .addColumn('undone_by', 'text')
    .execute()
  await db.schema.createIndex('trailer_step_trailer').on('trailer_step').columns(['trailer_id', 'id']).execute()
  await db.schema.createIndex('trailer_step_appointment').on('trailer_step').column('appointment_id').execute()
}
