import { sql } from 'kysely'
import { precompileQuery, type ReadTx, type WriteTx } from '../../../storage'
import {
  type AppointmentStatus,
  type AppointmentType,
  type Facility,
  MAX_APPOINTMENT_MS,
} from '../../facilities/rules/facility'
import { docksTables } from '../../queries/docks-tables'
import type { AppointmentStep } from '../../visits/rules/appointment-steps'
import type { AppointmentTable } from '../migrations'
import type { Load } from '../rules/load'
import { loadKeys, type StoredLoad } from '../rules/load-fields'
import type { BusySpan, Span } from '../rules/spans'
import { type AppointmentChange, type ChangeCaller, type ChangeDetails, insertChange } from './appointment-changes'
import { insertReferences, listReferencing, listScheduledWith, replaceReferences } from './appointment-references'
import { addBooked, listBookedByDay } from './booked-days'
import { announceDoor } from './door-announcements'
import { loadColumnOf, selectLoad, toColumns } from './load-columns'
import { countedColumns, listHeldSpans } from './slot-holds'

/** An appointment with the names of its door and its facility. Times are epoch milliseconds. */
export interface AppointmentRecord extends Load, StoredLoad {
  id: string
  facilityId: string
  facilityName: string
  facilityCode: string
  doorId: string
  doorName: string
  type: AppointmentType
  status: AppointmentStatus
  startAt: number
  endAt: number
  carrierName: string
  referenceNumber: string
  /** As `storeReferences` has them; null if there is only `referenceNumber`. */
  references: string | null
  /** How far the truck is; null before it arrives. */
  step: AppointmentStep | null
  /** 1 if it stays at its door when room is made for others; otherwise 0. */
  pinned: number
  /** When its contacts were last sent a message that names its door; null if they never were. */
  doorAnnouncedAt: number | null
  /** Number of changes since it was booked. */
  sequence: number
  updatedAt: number
}

export type NewAppointment = Omit<AppointmentRecord, 'sequence' | 'updatedAt' | 'doorAnnouncedAt'>

/** What counts as busy: everything but the appointments and holds `except`, and holds that have expired. */
export interface BusyOptions {
  now: number
  except?: readonly string[]
}

/** The busy spans of appointments and holds that overlap `span`. */
export async function listBusySpans(
  tx: ReadTx,
  { id: facilityId, limits }: Pick<Facility, 'id' | 'limits'>,
  span: Span,
  { now, except = [] }: BusyOptions,
): Promise<BusySpan[]> {
  const params = { facilityId, ...span, after: span.from - MAX_APPOINTMENT_MS }
  const isCounted = limits.length > 0
  const known = except.length === 0 ? await listBookedByDay(tx, { facilityId, isCounted }, span) : null
  const booked =
    known ??
    (except.length === 0 && !isCounted
      ? await runBusySpansQuery(tx, params)
      : await busySpansQuery(tx, params)
          .$if(except.length > 0, (query) => query.where('id', 'not in', except))
          .$if(isCounted, (query) => query.select(countedColumns))
          .execute())
  return [...booked, ...(await listHeldSpans(tx, { ...params, now, except, isCounted }))]
}

/** `after` is the longest appointment before the span, so that the index on starts is enough to find every overlap. */
export function busySpansQuery(tx: ReadTx, params: { facilityId: string; after: number; from: number; to: number }) {
  return docksTables(tx)
    .selectFrom('appointment')
    .select(['door_id as doorId', 'start_at as from', 'end_at as to'])
    .where('facility_id', '=', params.facilityId)
    .where('start_at', '>', params.after)
    .where('start_at', '<', params.to)
    .where('end_at', '>', params.from)
    .where('status', '<>', 'cancelled')
    .orderBy('start_at')
}

const runBusySpansQuery = precompileQuery(busySpansQuery)

/** The busy spans of appointments and holds that start within `span`. */
export async function listBusySpansStarting(
  tx: ReadTx,
  { id: facilityId, limits }: Pick<Facility, 'id' | 'limits'>,
  { from, to }: Span,
  now: number,
): Promise<BusySpan[]> {
  const isCounted = limits.length > 0
  const booked = await docksTables(tx)
    .selectFrom('appointment')
    .select(['door_id as doorId', 'start_at as from', 'end_at as to'])
    .where('facility_id', '=', facilityId)
    .where('start_at', '>=', from)
    .where('start_at', '<', to)
    .where('status', '<>', 'cancelled')
    .$if(isCounted, (query) => query.select(countedColumns))
    .execute()
  return [...booked, ...(await listHeldSpans(tx, { facilityId, after: from - 1, from, to, now, isCounted }))]
}

export async function findAppointment(tx: ReadTx, tenantId: string, id: string): Promise<AppointmentRecord | null> {
  const query = appointmentQuery(tx).where('appointment.tenant_id', '=', tenantId).where('appointment.id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

export function findAppointmentsById(tx: ReadTx, ids: readonly string[]): Promise<AppointmentRecord[]> {
  return appointmentQuery(tx).where('appointment.id', 'in', ids).execute()
}

/** The scheduled appointment with the reference, be it its first one or another. */
export async function findScheduledReference(
  tx: ReadTx,
  facilityId: string,
  referenceNumber: string,
): Promise<AppointmentRecord | null> {
  const [found] = await listScheduledWith(tx, facilityId, [referenceNumber])
  return found ? ((await findAppointmentsById(tx, [found.id]))[0] ?? null) : null
}

/** Checks for existence only, which is cheaper than reading the records. */
export async function hasScheduledReference(
  tx: ReadTx,
  facilityId: string,
  numbers: readonly string[],
): Promise<boolean> {
  const [referenceNumber, ...others] = numbers
  if (referenceNumber === undefined) return false
  if (others.length > 0) return (await listScheduledWith(tx, facilityId, numbers)).length > 0
  if ((await runScheduledIdQuery(tx, { facilityId, referenceNumber })).length > 0) return true
  const referencing = await listReferencing(tx, facilityId, referenceNumber)
  return referencing.length > 0 && (await listScheduledWith(tx, facilityId, numbers)).length > 0
}

const runScheduledIdQuery = precompileQuery((tx, params: { facilityId: string; referenceNumber: string }) =>
  docksTables(tx)
    .selectFrom('appointment')
    .select('id')
    .where('facility_id', '=', params.facilityId)
    .where('reference_number', '=', params.referenceNumber)
    .where('status', '=', 'scheduled'),
)

export interface AppointmentFilter {
  facilityId: string
  /** Appointments that start within it; null for all. */
  starting: Span | null
  referenceNumber: string | null
  status: AppointmentStatus | null
  type?: AppointmentType | null
  /** All of these names: that of a caller, and that of the request. */
  carrierNames?: readonly string[]
  equipmentId?: string | null
  /** Booked or changed at this time or later. */
  changedSince?: number | null
}

/** By start, then by the position of the door. */
export function listAppointments(tx: ReadTx, filter: AppointmentFilter): Promise<AppointmentRecord[]> {
  return appointmentsQuery(tx, filter).execute()
}

/** The starts of the appointments, which is cheaper than reading the records. */
export async function listAppointmentStarts(tx: ReadTx, filter: AppointmentFilter): Promise<number[]> {
  const rows = await appointmentsQuery(tx, filter).clearSelect().clearOrderBy().select('appointment.start_at').execute()
  return rows.map(({ start_at }) => start_at)
}

export function appointmentsQuery(tx: ReadTx, filter: AppointmentFilter) {
  let query = appointmentQuery(tx).where('appointment.facility_id', '=', filter.facilityId)
  if (filter.starting !== null) {
    query = query
      .where('appointment.start_at', '>=', filter.starting.from)
      .where('appointment.start_at', '<', filter.starting.to)
  }
  const { referenceNumber } = filter
  if (referenceNumber !== null) {
    query = query.where('appointment.id', 'in', (rows) =>
      rows
        .selectFrom('appointment as named')
        .select('named.id')
        .where('named.facility_id', '=', filter.facilityId)
        .where('named.reference_number', '=', referenceNumber)
        .unionAll(
          rows
            .selectFrom('appointment_reference as other')
            .select('other.appointment_id as id')
            .where('other.facility_id', '=', filter.facilityId)
            .where('other.reference_number', '=', referenceNumber),
        ),
    )
  }
  if (filter.status !== null) query = query.where('appointment.status', '=', filter.status)
  for (const name of filter.carrierNames ?? []) query = query.where('appointment.carrier_name', '=', name)
  if (filter.type != null) query = query.where('appointment.type', '=', filter.type)
  if (filter.equipmentId != null) query = query.where('appointment.equipment_id', '=', filter.equipmentId)
  if (filter.changedSince != null) query = query.where('appointment.updated_at', '>=', filter.changedSince)
  return query.orderBy('appointment.start_at').orderBy('door.position').orderBy('appointment.id')
}

/** The appointments that have not ended and are not cancelled, by start. */
export function listUnfinishedAppointments(tx: ReadTx, facilityId: string, now: number): Promise<AppointmentRecord[]> {
  return overlappingQuery(tx, facilityId, { from: now, to: Number.MAX_SAFE_INTEGER }).execute()
}

/** The appointments that overlap `span` and are not cancelled, by start. */
export function listAppointmentsWithin(tx: ReadTx, facilityId: string, span: Span): Promise<AppointmentRecord[]> {
  return overlappingQuery(tx, facilityId, span).execute()
}

/** Numbers of which at least one differs after a change of these appointments. */
export function sumUpChanges(tx: ReadTx, facilityId: string, span: Span) {
  return overlappingQuery(tx, facilityId, span)
    .clearSelect()
    .clearOrderBy()
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number>('appointment.sequence').as('changes'),
      fn.max('appointment.updated_at').as('last'),
    ])
    .executeTakeFirst()
}

function overlappingQuery(tx: ReadTx, facilityId: string, span: Span) {
  return appointmentQuery(tx)
    .where('appointment.facility_id', '=', facilityId)
    .where('appointment.start_at', '>', span.from - MAX_APPOINTMENT_MS)
    .where('appointment.start_at', '<', span.to)
    .where('appointment.end_at', '>', span.from)
    .where('appointment.status', '<>', 'cancelled')
    .orderBy('appointment.start_at')
    .orderBy('appointment.id')
}

/** Who books an appointment, and how. */
export interface BookingOrigin {
  tenantId: string
  createdAt: number
  caller: ChangeCaller
  source?: ChangeDetails['source']
  /** For the history. */
  note?: string | null
}

export async function insertAppointment(
  tx: WriteTx,
  appointment: NewAppointment,
  { caller, source, note, ...origin }: BookingOrigin,
): Promise<void> {
  await runInsert.later(tx, { ...appointment, ...origin }, { keepsDerived: true })
  if (appointment.references !== null) await insertReferences(tx, appointment)
  if (appointment.status !== 'cancelled') addBooked(tx, appointment.facilityId, toBusySpan(appointment))
  const details = source === undefined ? null : { source }
  await insertChange(tx, appointment.id, { kind: 'booked', at: origin.createdAt, caller, note, details })
  await announceDoor(tx, appointment, { kind: 'booked', at: origin.createdAt })
}

function toBusySpan({ doorId, startAt, endAt, type, carrierName, palletCount }: NewAppointment): BusySpan {
  return { doorId, from: startAt, to: endAt, type, carrierName, palletCount }
}

const runInsert = precompileQuery((tx, row: NewAppointment & { tenantId: string; createdAt: number }) =>
  docksTables(tx)
    .insertInto('appointment')
    .values({
      id: row.id,
      tenant_id: row.tenantId,
      facility_id: row.facilityId,
      door_id: row.doorId,
      type: row.type,
      status: row.status,
      start_at: row.startAt,
      end_at: row.endAt,
      carrier_name: row.carrierName,
      reference_number: row.referenceNumber,
      reference_list: row.references,
      ...toColumns(row, loadKeys),
      created_at: row.createdAt,
      updated_at: row.createdAt,
      sequence: 0,
      pinned: row.pinned,
    }),
)

/** The fields that can change after an appointment was booked, and their columns. */
const changeableFields = {
  doorId: 'door_id',
  status: 'status',
  step: 'step',
  pinned: 'pinned',
  startAt: 'start_at',
  endAt: 'end_at',
  type: 'type',
  carrierName: 'carrier_name',
  referenceNumber: 'reference_number',
  references: 'reference_list',
  ...loadColumnOf,
} as const satisfies { [Field in keyof AppointmentRecord]?: keyof AppointmentTable }

export interface ChangedAppointment {
  before: AppointmentRecord
  after: AppointmentRecord
}

/** Saves the fields that differ, and adds their values before and after to the history. `columns`: what else to set in the same statement. */
export async function saveAppointment(
  tx: WriteTx,
  { before, after }: ChangedAppointment,
  { details, ...change }: AppointmentChange,
  columns: { status?: 'scheduled' } = {},
): Promise<void> {
  const fields = Object.keys({ ...changeableFields, doorName: null }) as (keyof typeof changeableFields)[]
  const changed = fields.filter((field) => before[field] !== after[field])
  const values = changed.flatMap((field) => (changeableFields[field] ? [[changeableFields[field], after[field]]] : []))
  await docksTables(tx)
    .updateTable('appointment')
    .set((row) => ({
      ...Object.fromEntries(values),
      ...columns,
      updated_at: change.at,
      sequence: row('sequence', '+', 1),
    }))
    .where('id', '=', before.id)
    .execute()
  if (before.references !== after.references) await replaceReferences(tx, after)
  const changes = Object.fromEntries(
    changed.map((field) => [field, [before[field], after[field]] as [unknown, unknown]]),
  )
  await insertChange(tx, before.id, { ...change, details: { ...details, changes } })
  await announceDoor(tx, after, { ...change, fields: changed })
}

/**
 * Saves scheduled appointments at other doors or times, one after another as their places become free. Where they wait for each other, one
 * takes no place meanwhile, because constraints check each statement. If times change, none does: the capacity counts each one's own.
 */
export async function saveMoves(
  tx: WriteTx,
  moves: readonly ChangedAppointment[],
  change: AppointmentChange,
): Promise<void> {
  const moving = sql<AppointmentStatus>`'moving'`
  const park = ({ before }: ChangedAppointment) =>
    docksTables(tx).updateTable('appointment').set({ status: moving }).where('id', '=', before.id).execute()
  const keepTimes = moves.every(({ before, after }) => before.startAt === after.startAt)
  const waiting = keepTimes ? [...moves] : []
  const parked = keepTimes ? [] : [...moves]
  for (const move of parked) await park(move)
  while (waiting.length > 0) {
    const free = waiting.findIndex((move) => !waiting.some((other) => other !== move && isInTheWay(other, move)))
    if (free >= 0) for (const move of waiting.splice(free, 1)) await saveAppointment(tx, move, change)
    else {
      const [first] = waiting.splice(0, 1) as [ChangedAppointment]
      await park(first)
      parked.push(first)
    }
  }
  for (const move of parked) await saveAppointment(tx, move, change, { status: 'scheduled' })
}

function isInTheWay({ before: one }: ChangedAppointment, { after }: ChangedAppointment): boolean {
  return one.doorId === after.doorId && one.startAt < after.endAt && after.startAt < one.endAt
}

function appointmentQuery(tx: ReadTx) {
  return docksTables(tx)
    .selectFrom('appointment')
    .innerJoin('door', 'door.id', 'appointment.door_id')
    .innerJoin('facility', 'facility.id', 'appointment.facility_id')
    .select([
      'appointment.id',
      'appointment.facility_id as facilityId',
      'facility.name as facilityName',
      'facility.code as facilityCode',
      'appointment.door_id as doorId',
      'door.name as doorName',
      'appointment.type',
      'appointment.status',
      'appointment.start_at as startAt',
      'appointment.end_at as endAt',
      'appointment.carrier_name as carrierName',
      'appointment.reference_number as referenceNumber',
      'appointment.reference_list as references',
      ...selectLoad('appointment', loadKeys),
      'appointment.step',
      'appointment.pinned',
      'appointment.door_announced_at as doorAnnouncedAt',
      'appointment.sequence',
      'appointment.updated_at as updatedAt',
    ])
}
