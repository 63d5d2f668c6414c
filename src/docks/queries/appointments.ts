import type { ReadTx, WriteTx } from '../../storage'
import type { AppointmentStatus, AppointmentType } from '../rules/facility'
import type { BusySpan } from '../rules/occupancy'
import type { Span } from '../rules/spans'
import { LONGEST_APPOINTMENT_MS } from '../tables'
import { docks } from './docks'

/** An appointment with the names of the door and the facility it is at. Times are epoch milliseconds. */
export interface AppointmentRecord {
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
  palletCount: number | null
  weight: number | null
  loadDescription: string | null
  equipmentId: string | null
}

/** What holds a door at some time within the span, by start. `except` is taken for free. */
export function busySpans(tx: ReadTx, facilityId: string, span: Span, except: string | null): Promise<BusySpan[]> {
  return busySpansQuery(tx, facilityId, span, except).execute()
}

/** Bounded below by the longest appointment, so that the index on starts is enough to find what overlaps. */
export function busySpansQuery(tx: ReadTx, facilityId: string, span: Span, except: string | null) {
  const query = docks(tx)
    .selectFrom('appointment')
    .select(['door_id as doorId', 'start_at as from', 'end_at as to'])
    .where('facility_id', '=', facilityId)
    .where('start_at', '>', span.from - LONGEST_APPOINTMENT_MS)
    .where('start_at', '<', span.to)
    .where('end_at', '>', span.from)
    .where('status', '<>', 'cancelled')
    .orderBy('start_at')
  return except === null ? query : query.where('id', '<>', except)
}

export async function findAppointment(tx: ReadTx, tenantId: string, id: string): Promise<AppointmentRecord | null> {
  const query = withNames(tx).where('appointment.tenant_id', '=', tenantId).where('appointment.id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

export async function findScheduledReference(
  tx: ReadTx,
  facilityId: string,
  referenceNumber: string,
): Promise<AppointmentRecord | null> {
  const query = withNames(tx)
    .where('appointment.facility_id', '=', facilityId)
    .where('appointment.reference_number', '=', referenceNumber)
    .where('appointment.status', '=', 'scheduled')
  return (await query.executeTakeFirst()) ?? null
}

export interface AppointmentFilter {
  facilityId: string
  /** Those that start within it; null for all. */
  starting: Span | null
  referenceNumber: string | null
  status: AppointmentStatus | null
}

/** By start, then by the door's position. */
export function listAppointments(tx: ReadTx, filter: AppointmentFilter): Promise<AppointmentRecord[]> {
  let query = withNames(tx).where('appointment.facility_id', '=', filter.facilityId)
  if (filter.starting !== null) {
    query = query
      .where('appointment.start_at', '>=', filter.starting.from)
      .where('appointment.start_at', '<', filter.starting.to)
  }
  if (filter.referenceNumber !== null) {
    query = query.where('appointment.reference_number', '=', filter.referenceNumber)
  }
  if (filter.status !== null) query = query.where('appointment.status', '=', filter.status)
  return query.orderBy('appointment.start_at').orderBy('door.position').orderBy('appointment.id').execute()
}

export async function insertAppointment(
  tx: WriteTx,
  appointment: AppointmentRecord,
  origin: { tenantId: string; createdAt: number },
): Promise<void> {
  await docks(tx)
    .insertInto('appointment')
    .values({
      id: appointment.id,
      tenant_id: origin.tenantId,
      facility_id: appointment.facilityId,
      door_id: appointment.doorId,
      type: appointment.type,
      status: appointment.status,
      start_at: appointment.startAt,
      end_at: appointment.endAt,
      carrier_name: appointment.carrierName,
      reference_number: appointment.referenceNumber,
      pallet_count: appointment.palletCount,
      weight: appointment.weight,
      load_description: appointment.loadDescription,
      equipment_id: appointment.equipmentId,
      created_at: origin.createdAt,
      updated_at: origin.createdAt,
    })
    .execute()
}

/** Keeps the door and the times of `moved`. */
export async function moveAppointment(tx: WriteTx, moved: AppointmentRecord, updatedAt: number): Promise<void> {
  await docks(tx)
    .updateTable('appointment')
    .set({ door_id: moved.doorId, start_at: moved.startAt, end_at: moved.endAt, updated_at: updatedAt })
    .where('id', '=', moved.id)
    .execute()
}

export async function setStatus(
  tx: WriteTx,
  id: string,
  to: { status: AppointmentStatus; updatedAt: number },
): Promise<void> {
  await docks(tx)
    .updateTable('appointment')
    .set({ status: to.status, updated_at: to.updatedAt })
    .where('id', '=', id)
    .execute()
}

function withNames(tx: ReadTx) {
  return docks(tx)
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
      'appointment.pallet_count as palletCount',
      'appointment.weight',
      'appointment.load_description as loadDescription',
      'appointment.equipment_id as equipmentId',
    ])
}
