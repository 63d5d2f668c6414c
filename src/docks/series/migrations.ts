import type { Kysely } from 'kysely'
import type { OccurrenceOutcome } from './rules/series-dates'

/** A series: an appointment that is repeated every week or every other week. */
export interface SeriesTable {
  id: string
  tenant_id: string
  facility_id: string
  /** JSON: SeriesTerms */
  terms: string
  created_at: number
}

export async function createSeriesTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('series')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('tenant_id', 'text', (c) => c.notNull())
    .addColumn('facility_id', 'text', (c) => c.notNull().references('facility.id'))
    .addColumn('terms', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('series_facility').on('series').columns(['facility_id', 'created_at']).execute()
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

export async function createSeriesOccurrenceTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('series_occurrence')
    .addColumn('series_id', 'text', (c) => c.notNull().references('series.id'))
    .addColumn('date', 'text', (c) => c.notNull())
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('appointment_id', 'text', (c) => c.references('appointment.id'))
    .addPrimaryKeyConstraint('series_occurrence_key', ['series_id', 'date'])
    .execute()
  // The archive looks for the rows of each appointment.
  await db.schema
    .createIndex('series_occurrence_by_appointment_id')
    .on('series_occurrence')
    .column('appointment_id')
    .execute()
}
