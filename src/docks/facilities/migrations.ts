import type { Kysely } from 'kysely'
import type { RoomPolicy } from './rules/facility'

/** A place with doors, its calendar and its rules. */
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
  /** JSON: CustomField[] */
  custom_fields: string
  /** JSON: ChangeReasons[] */
  reasons: string
  min_minutes: number
  max_minutes: number
  default_minutes: number
  slot_minutes: number
  lead_minutes: number
  capacity: number | null
  advance_to_next_open_day: number
  /** How many minutes before or after its start a truck arrives on time. */
  grace_minutes: number
  /** How many hours before its start people are reminded of an appointment; null for never. */
  reminder_hours: number | null
  /** How many minutes a truck stays without detention. */
  truck_free_minutes: number
  /** How many hours a dropped trailer stays without detention. */
  trailer_free_hours: number
  make_room: RoomPolicy
  /** Whether appointments may move whose door was announced. */
  move_announced: number
  /** The endpoint that checks bookings before they are made, with its secret, as `BookingCheck` has them; null for none. */
  check_url: string | null
  check_secret: string | null
  check_timeout_ms: number | null
  check_if_away: string | null
  created_at: number
  /** When it was deleted; null if it was not. */
  archived_at: number | null
}

export async function createFacilityTable(db: Kysely<any>): Promise<void> {
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
    .addColumn('blocked_times', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('buffer_minutes', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('limits', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('lengths', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('carriers', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('custom_fields', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('reasons', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('min_minutes', 'integer', (c) => c.notNull())
    .addColumn('max_minutes', 'integer', (c) => c.notNull())
    .addColumn('default_minutes', 'integer', (c) => c.notNull())
    .addColumn('slot_minutes', 'integer', (c) => c.notNull())
    .addColumn('lead_minutes', 'integer', (c) => c.notNull())
    .addColumn('capacity', 'integer')
    .addColumn('advance_to_next_open_day', 'integer', (c) => c.notNull())
    .addColumn('grace_minutes', 'integer', (c) => c.notNull().defaultTo(30))
    .addColumn('reminder_hours', 'integer')
    .addColumn('truck_free_minutes', 'integer', (c) => c.notNull().defaultTo(120))
    .addColumn('trailer_free_hours', 'integer', (c) => c.notNull().defaultTo(48))
    .addColumn('make_room', 'text', (c) => c.notNull().defaultTo('never'))
    .addColumn('move_announced', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('check_url', 'text')
    .addColumn('check_secret', 'text')
    .addColumn('check_timeout_ms', 'integer')
    .addColumn('check_if_away', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('archived_at', 'bigint')
    .addUniqueConstraint('facility_code', ['tenant_id', 'code'])
    .execute()
}

/** A door of a facility. */
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

export async function createDoorTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('door')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('types', 'text', (c) => c.notNull())
    .addColumn('active', 'integer', (c) => c.notNull())
    .addColumn('features', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('max_height', 'integer')
    .addColumn('removed_at', 'bigint')
    .addUniqueConstraint('door_name', ['facility_id', 'name'])
    .execute()
}
