import { type Generated, type Kysely, sql } from 'kysely'
import type { Engine } from '../../storage'
import { type AppointmentStatus, type AppointmentType, MAX_APPOINTMENT_MS } from '../facilities/rules/facility'
import type { AppointmentStep, ChangeKind } from '../visits/rules/appointment-steps'
import { addCapacityConstraint, addDoorConstraint } from './queries/constraints'
import type { LoadColumns, PlacingColumns } from './rules/load-fields'

/** A door that is booked for a truck, whatever became of it. */
export interface AppointmentTable extends LoadColumns {
  id: string
  tenant_id: string
  facility_id: string
  door_id: string
  type: AppointmentType
  /** Also `moving`, only within a transaction, while it has no place. */
  status: AppointmentStatus
  start_at: number
  end_at: number
  carrier_name: string
  reference_number: string
  /** JSON: Reference[], the first one too; null if it has only that one. */
  reference_list: string | null
  created_at: number
  updated_at: number
  /** Number of changes since it was booked. */
  sequence: number
  /** How far the truck is; null before it arrives. */
  step: AppointmentStep | null
  /** Whether it stays at its door when room is made for others. */
  pinned: number
  /** When its contacts were last sent a message that names its door; null if they never were. */
  door_announced_at: number | null
}

export async function createAppointmentTable(db: Kysely<any>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('appointment')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('tenant_id', 'text', (c) => c.notNull())
    .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
    .addColumn('door_id', 'text', (c) => c.notNull().references('door.id'))
    .addColumn('type', 'text', (c) => c.notNull().check(sql`type in ('pickup', 'delivery')`))
    .addColumn('status', 'text', (c) =>
      c.notNull().check(sql`status in ('scheduled', 'completed', 'cancelled', 'moving')`),
    )
    .addColumn('start_at', 'bigint', (c) => c.notNull())
    .addColumn('end_at', 'bigint', (c) => c.notNull())
    .addColumn('carrier_name', 'text', (c) => c.notNull())
    .addColumn('reference_number', 'text', (c) => c.notNull())
    .addColumn('reference_list', 'text')
    .addColumn('pallet_count', 'bigint')
    .addColumn('piece_count', 'bigint')
    .addColumn('weight', 'bigint')
    .addColumn('load_description', 'text')
    .addColumn('equipment_id', 'text')
    .addColumn('equipment_height', 'integer')
    .addColumn('requirements', 'text')
    .addColumn('contact_emails', 'text')
    .addColumn('contact_phone', 'text')
    .addColumn('custom_fields', 'text')
    .addColumn('site_fields', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('sequence', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('step', 'text')
    .addColumn('pinned', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('door_announced_at', 'bigint')
    .addCheckConstraint('appointment_ends_after_start', sql`end_at > start_at`)
    .addCheckConstraint('appointment_length', sql`end_at - start_at <= ${sql.lit(MAX_APPOINTMENT_MS)}`)
    .execute()
  // A reference has one scheduled appointment at a facility.
  await db.schema
    .createIndex('appointment_scheduled_reference')
    .on('appointment')
    .unique()
    .columns(['tenant_id', 'facility_id', 'reference_number'])
    .where(sql.ref('status'), '=', 'scheduled')
    .execute()
  await db.schema
    .createIndex('appointment_by_reference')
    .on('appointment')
    .columns(['facility_id', 'reference_number', 'start_at'])
    .execute()
  // For the search for free slots.
  await db.schema
    .createIndex('appointment_occupancy')
    .on('appointment')
    .columns(['facility_id', 'start_at', 'end_at', 'door_id', 'status'])
    .execute()
  // For the check of each booking that its door is free, which then reads the row of an overlapping appointment only.
  await db.schema
    .createIndex('appointment_door')
    .on('appointment')
    .columns(['door_id', 'start_at', 'end_at', 'status'])
    .execute()
  await addDoorConstraint(db, engine, MAX_APPOINTMENT_MS)
  await addCapacityConstraint(db, engine, MAX_APPOINTMENT_MS)
}

/** A reference of an appointment beside its first one, to find it by. */
export interface AppointmentReferenceTable {
  appointment_id: string
  facility_id: string
  reference_number: string
}

export async function createAppointmentReferenceTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('appointment_reference')
    .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
    .addColumn('reference_number', 'text', (c) => c.notNull())
    .addColumn('appointment_id', 'text', (c) => c.notNull().references('appointment.id'))
    .addPrimaryKeyConstraint('appointment_reference_key', ['facility_id', 'reference_number', 'appointment_id'])
    .execute()
  await db.schema
    .createIndex('appointment_reference_by_appointment_id')
    .on('appointment_reference')
    .column('appointment_id')
    .execute()
}

/** A change of an appointment, written in the same transaction. Rows are never changed or removed. */
export interface AppointmentChangeTable {
  id: Generated<number>
  appointment_id: string
  kind: ChangeKind
  at: number
  /** ID of the credential at the docks; otherwise the kind of the caller. */
  caller: string
  /** The name that the credential had then; null for other callers. */
  caller_name: string | null
  note: string | null
  /** JSON: ChangeDetails */
  details: string | null
}

export async function createAppointmentChangeTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('appointment_change')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('appointment_id', 'text', (c) => c.notNull().references('appointment.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('caller', 'text', (c) => c.notNull())
    .addColumn('caller_name', 'text')
    .addColumn('note', 'text')
    .addColumn('details', 'text')
    .execute()
  await db.schema
    .createIndex('appointment_change_appointment')
    .on('appointment_change')
    .columns(['appointment_id', 'id'])
    .execute()
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
  /** 1 if its appointment stays at the door when room is made for others. */
  pinned: number
}

export async function createSlotHoldTable(db: Kysely<any>): Promise<void> {
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
    .addColumn('pallet_count', 'bigint')
    .addColumn('piece_count', 'bigint')
    .addColumn('equipment_height', 'integer')
    .addColumn('requirements', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('caller', 'text')
    .addColumn('pinned', 'integer', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('slot_hold_occupancy')
    .on('slot_hold')
    .columns(['facility_id', 'start_at', 'end_at', 'door_id', 'expires_at'])
    .execute()
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

export async function createImportedRowTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('imported_row')
    .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
    .addColumn('row_hash', 'text', (c) => c.notNull())
    .addColumn('import_id', 'text', (c) => c.notNull())
    .addColumn('appointment_id', 'text', (c) => c.notNull().references('appointment.id'))
    .addColumn('imported_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('imported_row_key', ['facility_id', 'row_hash'])
    .execute()
  // The archive looks for the rows of each appointment.
  await db.schema.createIndex('imported_row_by_appointment_id').on('imported_row').column('appointment_id').execute()
}
