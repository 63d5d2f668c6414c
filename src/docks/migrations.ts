import { type Generated, type Kysely, sql } from 'kysely'
import type { Migration } from '../storage'
import { addCapacityConstraint, addDoorConstraint } from './booking/queries/constraints'
import type { LoadColumns, PlacingColumns } from './booking/rules/load-fields'
import { type AppointmentStatus, type AppointmentType, MAX_APPOINTMENT_MS } from './facilities/rules/facility'
import type { OccurrenceOutcome } from './series/rules/series-dates'
import type { AppointmentStep, ChangeKind } from './visits/rules/appointment-steps'

/** Times are epoch milliseconds, booleans 0 and 1. */
export interface DocksTables {
  facility: FacilityTable
  door: DoorTable
  appointment: AppointmentTable
  imported_row: ImportedRowTable
  slot_hold: SlotHoldTable
  appointment_change: AppointmentChangeTable
  refused_request: RefusedRequestTable
  series: SeriesTable
  waitlist_entry: WaitlistEntryTable
  series_occurrence: SeriesOccurrenceTable
  webhook: WebhookTable
  webhook_delivery: WebhookDeliveryTable
  webhook_lease: WebhookLeaseTable
}

export interface FacilityTable {
  id: string
  tenant_id: string
  code: string
  name: string
  time_zone: string
  /** JSON: OperatingQueue[] */
  queues: string
  /** JSON: WeeklyHours[] */
  breaks: string
  /** JSON: Closure[] */
  closures: string
  /** JSON: BlockedTime[] */
  blocked_times: string
  buffer_minutes: number
  /** JSON: BookingLimit[] */
  limits: string
  /** JSON: LengthRule[] */
  lengths: string
  /** JSON: CarrierAdmission[] */
  carriers: string
  min_minutes: number
  max_minutes: number
  default_minutes: number
  slot_minutes: number
  lead_minutes: number
  capacity: number | null
  advance_to_next_open_day: number
  /** How many minutes before or after its start a truck arrives on time. */
  grace_minutes: number
  created_at: number
  /** When it was deleted; null if it was not. */
  archived_at: number | null
}

export interface DoorTable {
  id: string
  facility_id: string
  name: string
  position: number
  /** JSON: AppointmentType[] */
  types: string
  active: number
  /** JSON: string[] */
  features: string
  /** Inches */
  max_height: number | null
  /** Removed doors stay because their appointments refer to them; null while the door exists. */
  removed_at: number | null
}

export interface AppointmentTable extends LoadColumns {
  id: string
  tenant_id: string
  facility_id: string
  door_id: string
  type: AppointmentType
  status: AppointmentStatus
  start_at: number
  end_at: number
  carrier_name: string
  reference_number: string
  created_at: number
  updated_at: number
  /** Number of changes since it was booked. */
  sequence: number
  /** How far the truck is; null before it arrives. */
  step: AppointmentStep | null
}

const docksMigration: Migration = {
  name: '0002-docks',
  async up(db, engine) {
    await createFacilities(db)
    await createAppointments(db)
    await addDoorConstraint(db, engine, MAX_APPOINTMENT_MS)
  },
}

async function createFacilities(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('facility')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('tenant_id', 'text', (c) => c.notNull())
    .addColumn('code', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('time_zone', 'text', (c) => c.notNull())
    .addColumn('queues', 'text', (c) => c.notNull())
    .addColumn('breaks', 'text', (c) => c.notNull())
    .addColumn('closures', 'text', (c) => c.notNull())
    .addColumn('min_minutes', 'integer', (c) => c.notNull())
    .addColumn('max_minutes', 'integer', (c) => c.notNull())
    .addColumn('default_minutes', 'integer', (c) => c.notNull())
    .addColumn('slot_minutes', 'integer', (c) => c.notNull())
    .addColumn('lead_minutes', 'integer', (c) => c.notNull())
    .addColumn('capacity', 'integer')
    .addColumn('advance_to_next_open_day', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('facility_code', ['tenant_id', 'code'])
    .execute()
  await db.schema
    .createTable('door')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('types', 'text', (c) => c.notNull())
    .addColumn('active', 'integer', (c) => c.notNull())
    .addUniqueConstraint('door_name', ['facility_id', 'name'])
    .execute()
}

async function createAppointments(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('appointment')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('tenant_id', 'text', (c) => c.notNull())
    .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
    .addColumn('door_id', 'text', (c) => c.notNull().references('door.id'))
    .addColumn('type', 'text', (c) => c.notNull().check(sql`type in ('pickup', 'delivery')`))
    .addColumn('status', 'text', (c) => c.notNull().check(sql`status in ('scheduled', 'completed', 'cancelled')`))
    .addColumn('start_at', 'bigint', (c) => c.notNull())
    .addColumn('end_at', 'bigint', (c) => c.notNull())
    .addColumn('carrier_name', 'text', (c) => c.notNull())
    .addColumn('reference_number', 'text', (c) => c.notNull())
    .addColumn('pallet_count', 'bigint')
    .addColumn('weight', 'bigint')
    .addColumn('load_description', 'text')
    .addColumn('equipment_id', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addCheckConstraint('appointment_ends_after_start', sql`end_at > start_at`)
    .addCheckConstraint('appointment_length', sql`end_at - start_at <= ${sql.lit(MAX_APPOINTMENT_MS)}`)
    .execute()
  await db.schema
    .createIndex('appointment_scheduled_reference')
    .on('appointment')
    .unique()
    .columns(['tenant_id', 'facility_id', 'reference_number'])
    .where(sql.ref('status'), '=', 'scheduled')
    .execute()
  await db.schema
    .createIndex('appointment_reference')
    .on('appointment')
    .columns(['facility_id', 'reference_number', 'start_at'])
    .execute()
  await db.schema
    .createIndex('appointment_occupancy')
    .on('appointment')
    .columns(['facility_id', 'start_at', 'end_at', 'door_id', 'status'])
    .execute()
  await db.schema.createIndex('appointment_door').on('appointment').columns(['door_id', 'start_at']).execute()
}

/** Removed doors stay because their appointments refer to them. Calendars need the number of changes of an appointment. */
const dockChangesMigration: Migration = {
  name: '0004-dock-changes',
  async up(db) {
    await db.schema.alterTable('door').addColumn('removed_at', 'bigint').execute()
    await db.schema
      .alterTable('appointment')
      .addColumn('sequence', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}

const dockCapacityMigration: Migration = {
  name: '0010-dock-capacity',
  up: (db, engine) => addCapacityConstraint(db, engine, MAX_APPOINTMENT_MS),
}

/** A booked row of an imported file. */
export interface ImportedRowTable {
  facility_id: string
  /** SHA-256 of the fields of the row. */
  row_hash: string
  /** The import that booked it. */
  import_id: string
  appointment_id: string
  imported_at: number
}

const importedRowsMigration: Migration = {
  name: '0013-imported-rows',
  async up(db) {
    await db.schema
      .createTable('imported_row')
      .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
      .addColumn('row_hash', 'text', (c) => c.notNull())
      .addColumn('import_id', 'text', (c) => c.notNull())
      .addColumn('appointment_id', 'text', (c) => c.notNull().references('appointment.id'))
      .addColumn('imported_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('imported_row_key', ['facility_id', 'row_hash'])
      .execute()
  },
}

/** A slot that is reserved until it expires. */
export interface SlotHoldTable extends PlacingColumns {
  id: string
  tenant_id: string
  facility_id: string
  door_id: string
  type: AppointmentType
  start_at: number
  end_at: number
  carrier_name: string | null
  created_at: number
  expires_at: number
  /** Who made it, as in a change of an appointment; null for an offer of the waitlist. */
  caller: string | null
}

const slotHoldsMigration: Migration = {
  name: '0018-slot-holds',
  async up(db) {
    await db.schema
      .createTable('slot_hold')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('tenant_id', 'text', (c) => c.notNull())
      .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
      .addColumn('door_id', 'text', (c) => c.notNull().references('door.id'))
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('start_at', 'bigint', (c) => c.notNull())
      .addColumn('end_at', 'bigint', (c) => c.notNull())
      .addColumn('carrier_name', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('slot_hold_occupancy')
      .on('slot_hold')
      .columns(['facility_id', 'start_at', 'end_at', 'door_id', 'expires_at'])
      .execute()
  },
}

/** A change of an appointment, written in the same transaction. Rows are never changed or removed. */
export interface AppointmentChangeTable {
  id: Generated<number>
  appointment_id: string
  kind: ChangeKind
  at: number
  /** ID of the tenant key; otherwise the kind of the caller. */
  caller: string
  note: string | null
  /** JSON: ChangeDetails */
  details: string | null
}

const appointmentChangesMigration: Migration = {
  name: '0019-appointment-changes',
  async up(db) {
    await db.schema
      .createTable('appointment_change')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('appointment_id', 'text', (c) => c.notNull().references('appointment.id'))
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('caller', 'text', (c) => c.notNull())
      .addColumn('note', 'text')
      .addColumn('details', 'text')
      .execute()
    await db.schema
      .createIndex('appointment_change_appointment')
      .on('appointment_change')
      .columns(['appointment_id', 'id'])
      .execute()
    await db.schema.alterTable('appointment').addColumn('step', 'text').execute()
    await db.schema
      .alterTable('facility')
      .addColumn('grace_minutes', 'integer', (c) => c.notNull().defaultTo(30))
      .execute()
  },
}

/** How many requests of a type got no slot, by the local date on which they were made and the reason. */
export interface RefusedRequestTable {
  facility_id: string
  /** Days since 1970-01-01. */
  day: number
  type: AppointmentType
  reason: string
  count: number
}

const refusedRequestsMigration: Migration = {
  name: '0021-refused-requests',
  async up(db) {
    await db.schema
      .createTable('refused_request')
      .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('count', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('refused_request_key', ['facility_id', 'day', 'type', 'reason'])
      .execute()
  },
}

/** What doors and facilities limit, beside their hours and the number of doors. */
const dockConstraintsMigration: Migration = {
  name: '0022-dock-constraints',
  async up(db) {
    await db.schema
      .alterTable('facility')
      .addColumn('blocked_times', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
    await db.schema
      .alterTable('facility')
      .addColumn('buffer_minutes', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('facility')
      .addColumn('limits', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
    await db.schema.alterTable('slot_hold').addColumn('pallet_count', 'bigint').execute()
    await db.schema
      .alterTable('door')
      .addColumn('features', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
    await db.schema.alterTable('door').addColumn('max_height', 'integer').execute()
    for (const table of ['appointment', 'slot_hold']) {
      await db.schema.alterTable(table).addColumn('requirements', 'text').execute()
      await db.schema.alterTable(table).addColumn('equipment_height', 'integer').execute()
    }
  },
}

/** A standing appointment. */
export interface SeriesTable {
  id: string
  tenant_id: string
  facility_id: string
  /** JSON: SeriesTerms */
  terms: string
  created_at: number
}

/** What became of a date of a series. Dates that were not tried yet have no row. */
export interface SeriesOccurrenceTable {
  series_id: string
  /** `YYYY-MM-DD` */
  date: string
  outcome: OccurrenceOutcome
  reason: string | null
  appointment_id: string | null
}

const seriesMigration: Migration = {
  name: '0023-series',
  async up(db) {
    await db.schema
      .createTable('series')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('tenant_id', 'text', (c) => c.notNull())
      .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
      .addColumn('terms', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('series_facility').on('series').columns(['facility_id', 'created_at']).execute()
    await db.schema
      .createTable('series_occurrence')
      .addColumn('series_id', 'text', (c) => c.notNull().references('series.id'))
      .addColumn('date', 'text', (c) => c.notNull())
      .addColumn('outcome', 'text', (c) => c.notNull())
      .addColumn('reason', 'text')
      .addColumn('appointment_id', 'text', (c) => c.references('appointment.id'))
      .addPrimaryKeyConstraint('series_occurrence_key', ['series_id', 'date'])
      .execute()
  },
}

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
  /** JSON: Span[], the slots that were declined or expired */
  declined: string
  /** Who added it, as in a change of an appointment; null for an entry from before 0036. */
  caller: string | null
}

const waitlistMigration: Migration = {
  name: '0024-waitlist',
  async up(db) {
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
      .execute()
    await db.schema
      .createIndex('waitlist_entry_facility')
      .on('waitlist_entry')
      .columns(['facility_id', 'created_at', 'id'])
      .execute()
    await db.schema.createIndex('waitlist_entry_hold').on('waitlist_entry').column('hold_id').execute()
  },
}

/** Deleted facilities stay because their appointments refer to them. */
const deletedFacilitiesMigration: Migration = {
  name: '0026-deleted-facilities',
  async up(db) {
    await db.schema.alterTable('facility').addColumn('archived_at', 'bigint').execute()
  },
}

const lengthsMigration: Migration = {
  name: '0028-lengths',
  async up(db) {
    await db.schema
      .alterTable('facility')
      .addColumn('lengths', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
    await db.schema.alterTable('appointment').addColumn('piece_count', 'bigint').execute()
  },
}

/** Where the events of a tenant are sent. Times are epoch milliseconds. */
export interface WebhookTable {
  id: string
  tenant_id: string
  url: string
  /** The secret itself, because every signature is made with it. */
  secret: string
  /** Only events of this facility; null for all. */
  facility_id: string | null
  /** Only events of this carrier; null for all. */
  carrier: string | null
  created_at: number
}

/** An event that a webhook has not accepted yet. Written in the transaction of the change, removed when it was delivered. */
export interface WebhookDeliveryTable {
  /** No reference, because a booking must not fail while the webhook is removed. */
  webhook_id: string
  change_id: number
  appointment_id: string
  /** How often it was sent. */
  attempts: number
  /** When it is sent next. */
  due_at: number
  /** When it was given up; null while it is tried. */
  dead_at: number | null
  /** Why the last attempt failed. */
  error: string | null
}

/** The process that delivers. The table has at most one row. */
export interface WebhookLeaseTable {
  id: number
  holder: string
  expires_at: number
}

const webhooksMigration: Migration = {
  name: '0029-webhooks',
  async up(db) {
    await db.schema
      .createTable('webhook')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenant.id'))
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('secret', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('webhook_tenant').on('webhook').column('tenant_id').execute()
    await db.schema
      .createTable('webhook_delivery')
      .addColumn('webhook_id', 'text', (c) => c.notNull())
      .addColumn('change_id', 'integer', (c) => c.notNull().references('appointment_change.id'))
      .addColumn('appointment_id', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('due_at', 'bigint', (c) => c.notNull())
      .addColumn('dead_at', 'bigint')
      .addColumn('error', 'text')
      .addPrimaryKeyConstraint('webhook_delivery_key', ['webhook_id', 'change_id'])
      .execute()
    await db.schema
      .createIndex('webhook_delivery_due')
      .on('webhook_delivery')
      .columns(['webhook_id', 'dead_at', 'due_at', 'change_id'])
      .execute()
    await db.schema
      .createIndex('webhook_delivery_appointment')
      .on('webhook_delivery')
      .columns(['webhook_id', 'appointment_id', 'dead_at', 'change_id'])
      .execute()
    await db.schema
      .createTable('webhook_lease')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('holder', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute()
  },
}

const carriersMigration: Migration = {
  name: '0030-carriers',
  async up(db) {
    await db.schema
      .alterTable('facility')
      .addColumn('carriers', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
  },
}

/** Webhooks of one facility or one carrier. */
const webhookFiltersMigration: Migration = {
  name: '0031-webhook-filters',
  async up(db) {
    await db.schema.alterTable('webhook').addColumn('facility_id', 'text').execute()
    await db.schema.alterTable('webhook').addColumn('carrier', 'text').execute()
  },
}

/** The rows that belong to an appointment, by its ID: without these indexes each appointment that is archived costs a look at all of them. */
const relatedRowsMigration: Migration = {
  name: '0034-related-rows',
  async up(db) {
    for (const [table, column] of [
      ['imported_row', 'appointment_id'],
      ['series_occurrence', 'appointment_id'],
      ['webhook_delivery', 'appointment_id'],
      ['webhook_delivery', 'change_id'],
    ] as const)
      await db.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute()
  },
}

/** Who made a hold or waits, because one caller may have only a part of those of a facility. */
const holdCallersMigration: Migration = {
  name: '0036-hold-callers',
  async up(db) {
    for (const table of ['slot_hold', 'waitlist_entry'])
      await db.schema.alterTable(table).addColumn('caller', 'text').execute()
  },
}

/** A hold stores all that its request says of the load. */
const holdPiecesMigration: Migration = {
  name: '0038-hold-pieces',
  async up(db) {
    await db.schema.alterTable('slot_hold').addColumn('piece_count', 'bigint').execute()
  },
}

export const dockMigrations: readonly Migration[] = [
  docksMigration,
  dockChangesMigration,
  dockCapacityMigration,
  importedRowsMigration,
  slotHoldsMigration,
  appointmentChangesMigration,
  refusedRequestsMigration,
  dockConstraintsMigration,
  seriesMigration,
  waitlistMigration,
  deletedFacilitiesMigration,
  lengthsMigration,
  webhooksMigration,
  carriersMigration,
  webhookFiltersMigration,
  relatedRowsMigration,
  holdCallersMigration,
  holdPiecesMigration,
]
