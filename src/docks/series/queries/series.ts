import type { ReadTx, WriteTx } from '../../../storage'
import { toWaitingLoad } from '../../booking/rules/load'
import type { AppointmentStatus } from '../../facilities/rules/facility'
import { docksTables } from '../../queries/docks-tables'
import type { OccurrenceOutcome, SeriesTerms } from '../rules/series-dates'

export interface SeriesRecord {
  id: string
  facilityId: string
  terms: SeriesTerms
}

/** What became of a date of a series. */
export interface OccurrenceRecord {
  seriesId: string
  date: string
  outcome: OccurrenceOutcome
  /** Why there is no appointment, or why it is not where the series says. */
  reason: string | null
  appointmentId: string | null
}

/** The same with the appointment as it is now. */
export interface BookedOccurrence extends OccurrenceRecord {
  startAt: number | null
  endAt: number | null
  doorName: string | null
  status: AppointmentStatus | null
}

export async function findSeries(tx: ReadTx, tenantId: string, id: string): Promise<SeriesRecord | null> {
  const row = await seriesQuery(tx).where('tenant_id', '=', tenantId).where('id', '=', id).executeTakeFirst()
  return row ? toSeries(row) : null
}

/** The series of a facility, oldest first. */
export async function listSeries(tx: ReadTx, facilityId: string): Promise<SeriesRecord[]> {
  const query = seriesQuery(tx).where('facility_id', '=', facilityId).orderBy('created_at').orderBy('id')
  return (await query.execute()).map(toSeries)
}

export interface SeriesKey {
  tenantId: string
  id: string
}

/** All series, or those of a tenant or a facility, oldest first. */
export function listSeriesKeys(
  tx: ReadTx,
  { tenantId, facilityId }: { tenantId?: string; facilityId?: string },
): Promise<SeriesKey[]> {
  let query = docksTables(tx).selectFrom('series').select(['tenant_id as tenantId', 'id'])
  if (tenantId !== undefined) query = query.where('tenant_id', '=', tenantId)
  if (facilityId !== undefined) query = query.where('facility_id', '=', facilityId)
  return query.orderBy('created_at').orderBy('id').execute()
}

function seriesQuery(tx: ReadTx) {
  return docksTables(tx).selectFrom('series').select(['id', 'facility_id as facilityId', 'terms'])
}

function toSeries({ terms, ...row }: { id: string; facilityId: string; terms: string }): SeriesRecord {
  const stored = JSON.parse(terms)
  return { ...row, terms: { ...stored, ...toWaitingLoad(stored) } }
}

export async function insertSeries(
  tx: WriteTx,
  { id, facilityId, terms }: SeriesRecord,
  { tenantId, createdAt }: { tenantId: string; createdAt: number },
): Promise<void> {
  await docksTables(tx)
    .insertInto('series')
    .values({
      id,
      tenant_id: tenantId,
      facility_id: facilityId,
      terms: JSON.stringify(terms),
      created_at: createdAt,
    })
    .execute()
}

export async function updateSeriesTerms(tx: WriteTx, { id, terms }: SeriesRecord): Promise<void> {
  await docksTables(tx)
    .updateTable('series')
    .set({ terms: JSON.stringify(terms) })
    .where('id', '=', id)
    .execute()
}

/** What became of the dates from `from` on, by date. */
export function listOccurrences(tx: ReadTx, seriesId: string, from: string): Promise<BookedOccurrence[]> {
  return occurrenceQuery(tx).where('series_id', '=', seriesId).where('date', '>=', from).orderBy('date').execute()
}

/** The dates of the series of a facility from `from` on that have no place, or not the one that the series says, by date. */
export function listUnplacedOccurrences(tx: ReadTx, facilityId: string, from: string): Promise<BookedOccurrence[]> {
  return occurrenceQuery(tx)
    .innerJoin('series', 'series.id', 'series_occurrence.series_id')
    .where('series.facility_id', '=', facilityId)
    .where('outcome', '=', 'refused')
    .where('date', '>=', from)
    .orderBy('date')
    .orderBy('series_id')
    .execute()
}

function occurrenceQuery(tx: ReadTx) {
  return docksTables(tx)
    .selectFrom('series_occurrence')
    .leftJoin('appointment', 'appointment.id', 'series_occurrence.appointment_id')
    .leftJoin('door', 'door.id', 'appointment.door_id')
    .select([
      'series_id as seriesId',
      'date',
      'outcome',
      'reason',
      'appointment_id as appointmentId',
      'appointment.start_at as startAt',
      'appointment.end_at as endAt',
      'appointment.status as status',
      'door.name as doorName',
    ])
}

/** Saves what became of a date, in place of what became of it before. */
export async function saveOccurrence(tx: WriteTx, record: OccurrenceRecord): Promise<void> {
  const columns = { outcome: record.outcome, reason: record.reason, appointment_id: record.appointmentId }
  await docksTables(tx)
    .insertInto('series_occurrence')
    .values({ series_id: record.seriesId, date: record.date, ...columns })
    .onConflict((existing) => existing.columns(['series_id', 'date']).doUpdateSet(columns))
    .execute()
}

export async function removeOccurrence(tx: WriteTx, { seriesId, date }: OccurrenceRecord): Promise<void> {
  await docksTables(tx)
    .deleteFrom('series_occurrence')
    .where('series_id', '=', seriesId)
    .where('date', '=', date)
    .execute()
}
