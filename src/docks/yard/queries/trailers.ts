import type { ReadTx, WriteTx } from '../../../storage'
import type { ChangeCaller } from '../../booking/queries/appointment-changes'
import type { Span } from '../../booking/rules/spans'
import { docksTables } from '../../queries/docks-tables'
import { normalizeNumber } from '../../rules/normalize-number'
import { followSteps, type TakenStep, type TrailerState, type TrailerStep } from '../rules/trailer-steps'

/** A trailer with the names of what it refers to. Times are epoch milliseconds. */
export interface TrailerRecord extends TrailerState {
  id: string
  facilityId: string
  facilityCode: string
  timeZone: string
  trailerFreeHours: number
  spotName: string | null
  doorName: string | null
  /** Null without an appointment, or if it is archived. */
  referenceNumber: string | null
  arrivedAt: number
  placedAt: number
  leftAt: number | null
}

export interface TrailerFilter {
  facilityId: string
  /** Only those that are in the yard. */
  isPresent?: boolean
  arriving?: Span
  number?: string
  carrierName?: string
  appointmentId?: string
}

/** The trailers of a facility, first those that have been there longest. */
export async function listTrailers(
  tx: ReadTx,
  { facilityId, isPresent, arriving, number, carrierName, appointmentId }: TrailerFilter,
): Promise<TrailerRecord[]> {
  let query = trailerQuery(tx).where('trailer.facility_id', '=', facilityId)
  if (isPresent) query = query.where('trailer.left_at', 'is', null)
  if (arriving) {
    query = query.where('trailer.arrived_at', '>=', arriving.from).where('trailer.arrived_at', '<', arriving.to)
  }
  if (number !== undefined) query = query.where('trailer.number_key', '=', normalizeNumber(number))
  if (appointmentId !== undefined) query = query.where('trailer.appointment_id', '=', appointmentId)
  if (carrierName !== undefined) query = query.where('trailer.carrier_name', '=', carrierName)
  return (await query.orderBy('trailer.arrived_at').orderBy('trailer.id').execute()).map(toRecord)
}

export async function findTrailer(tx: ReadTx, tenantId: string, id: string): Promise<TrailerRecord | null> {
  const row = await trailerQuery(tx)
    .where('trailer.tenant_id', '=', tenantId)
    .where('trailer.id', '=', id)
    .executeTakeFirst()
  return row ? toRecord(row) : null
}

/** The trailers with the number that are in a yard of the tenant: at most one at each facility. */
export async function listTrailersWithNumber(tx: ReadTx, tenantId: string, number: string): Promise<TrailerRecord[]> {
  const rows = await trailerQuery(tx)
    .where('trailer.facility_id', 'in', (facilities) =>
      facilities.selectFrom('facility').select('id').where('tenant_id', '=', tenantId).where('archived_at', 'is', null),
    )
    .where('trailer.number_key', '=', normalizeNumber(number))
    .where('trailer.left_at', 'is', null)
    .execute()
  return rows.map(toRecord)
}

/** The trailer that is at a place of the yard; null if there is none. */
export async function findTrailerAt(
  tx: ReadTx,
  place: { spotId: string } | { doorId: string },
): Promise<TrailerRecord | null> {
  const query = trailerQuery(tx).where('trailer.left_at', 'is', null)
  const row = await ('spotId' in place
    ? query.where('trailer.spot_id', '=', place.spotId)
    : query.where('trailer.door_id', '=', place.doorId)
  ).executeTakeFirst()
  return row ? toRecord(row) : null
}

/** Whether the load of an appointment is or was in a trailer of the yard, which may have another appointment since. */
export async function hasTrailer(tx: ReadTx, appointmentId: string): Promise<boolean> {
  const query = docksTables(tx)
    .selectFrom('trailer_step')
    .select('id')
    .where('appointment_id', '=', appointmentId)
    .where('undone_at', 'is', null)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

function trailerQuery(tx: ReadTx) {
  return docksTables(tx)
    .selectFrom('trailer')
    .innerJoin('facility', 'facility.id', 'trailer.facility_id')
    .leftJoin('yard_spot', 'yard_spot.id', 'trailer.spot_id')
    .leftJoin('door', 'door.id', 'trailer.door_id')
    .leftJoin('appointment', 'appointment.id', 'trailer.appointment_id')
    .select([
      'trailer.id',
      'trailer.facility_id as facilityId',
      'facility.code as facilityCode',
      'facility.time_zone as timeZone',
      'facility.trailer_free_hours as trailerFreeHours',
      'trailer.number',
      'trailer.carrier_name as carrierName',
      'trailer.is_loaded as loaded',
      'trailer.appointment_id as appointmentId',
      'appointment.reference_number as referenceNumber',
      'trailer.spot_id as spotId',
      'yard_spot.name as spotName',
      'trailer.door_id as doorId',
      'door.name as doorName',
      'trailer.note',
      'trailer.arrived_at as arrivedAt',
      'trailer.placed_at as placedAt',
      'trailer.left_at as leftAt',
    ])
}

const toRecord = <Row extends { loaded: number }>(row: Row) => ({ ...row, loaded: row.loaded === 1 })

/** A step with who recorded it, and who undid it. */
export interface StoredTrailerStep extends TakenStep {
  id: number
  at: number
  caller: ChangeCaller
  undoneAt: number | null
  undoneBy: string | null
}

/** The steps of a trailer, oldest first, also those that were undone. */
export async function listTrailerSteps(tx: ReadTx, trailerId: string): Promise<StoredTrailerStep[]> {
  const rows = await docksTables(tx)
    .selectFrom('trailer_step')
    .selectAll()
    .where('trailer_id', '=', trailerId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    at: row.at,
    occurredAt: row.occurred_at,
    caller: { id: row.caller, name: row.caller_name },
    state: JSON.parse(row.state),
    undoneAt: row.undone_at,
    undoneBy: row.undone_by,
  }))
}

export interface NewTrailerStep {
  kind: TrailerStep
  at: number
  occurredAt: number
  caller: ChangeCaller
  state: TrailerState
}

/** Stores a trailer that arrives. */
export async function insertTrailer(
  tx: WriteTx,
  { id, tenantId, facilityId }: { id: string; tenantId: string; facilityId: string },
  step: NewTrailerStep,
): Promise<void> {
  await docksTables(tx)
    .insertInto('trailer')
    .values({ id, tenant_id: tenantId, facility_id: facilityId, ...toColumns([step]) })
    .execute()
  await insertStep(tx, id, step)
}

/** Stores the next step of a trailer, and updates the trailer. */
export async function saveTrailerStep(tx: WriteTx, trailerId: string, step: NewTrailerStep): Promise<void> {
  await insertStep(tx, trailerId, step)
  await updateTrailer(tx, trailerId)
}

/** Undoes the last step, but not an arrival, without which there is no trailer: `deleteTrailer` undoes that. */
export async function undoTrailerStep(
  tx: WriteTx,
  trailerId: string,
  { stepId, at, by }: { stepId: number; at: number; by: string },
): Promise<void> {
  await docksTables(tx)
    .updateTable('trailer_step')
    .set({ undone_at: at, undone_by: by })
    .where('id', '=', stepId)
    .execute()
  await updateTrailer(tx, trailerId)
}

export async function deleteTrailer(tx: WriteTx, trailerId: string): Promise<void> {
  await docksTables(tx).deleteFrom('trailer_step').where('trailer_id', '=', trailerId).execute()
  await docksTables(tx).deleteFrom('trailer').where('id', '=', trailerId).execute()
}

async function insertStep(
  tx: WriteTx,
  trailerId: string,
  { kind, at, occurredAt, caller, state }: NewTrailerStep,
): Promise<void> {
  await docksTables(tx)
    .insertInto('trailer_step')
    .values({
      trailer_id: trailerId,
      kind,
      at,
      occurred_at: occurredAt,
      caller: caller.id,
      caller_name: caller.name,
      state: JSON.stringify(state),
      appointment_id: state.appointmentId,
    })
    .execute()
}

async function updateTrailer(tx: WriteTx, trailerId: string): Promise<void> {
  const steps = (await listTrailerSteps(tx, trailerId)).filter(({ undoneAt }) => undoneAt === null)
  await docksTables(tx).updateTable('trailer').set(toColumns(steps)).where('id', '=', trailerId).execute()
}

function toColumns(steps: readonly TakenStep[]) {
  const trailer = followSteps(steps)
  return {
    number: trailer.number,
    number_key: normalizeNumber(trailer.number),
    carrier_name: trailer.carrierName,
    is_loaded: Number(trailer.loaded),
    appointment_id: trailer.appointmentId,
    spot_id: trailer.spotId,
    door_id: trailer.doorId,
    note: trailer.note,
    arrived_at: trailer.arrivedAt,
    placed_at: trailer.placedAt,
    left_at: trailer.leftAt,
  }
}
