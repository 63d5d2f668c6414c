import { sql } from 'kysely'
import { getEngine, precompileQuery, type ReadTx } from '../../storage'
import type { Door } from '../rules/facility'
import type { BusySpan } from '../rules/occupancy'
import type { Span } from '../rules/spans'
import { LONGEST_APPOINTMENT_MS } from '../tables'
import { docks } from './docks'
import { parsedOnce } from './parsed-once'

/** What a booking decides by, beside its facility. */
export interface SiteRecord {
  /** By position; those that were removed are not among them. */
  doors: readonly Door[]
  /** Whether an appointment of the reference is scheduled at the facility. */
  hasReference: boolean
  /** What holds a door at some time within the span. */
  busy: BusySpan[]
}

interface Asked {
  facilityId: string
  referenceNumber: string
  /** The longest appointment before the span, so that the index on starts is enough to find what overlaps. */
  after: number
  from: number
  to: number
}

/** All of it by one statement: each is a way to the server and back, with the facility held. */
export async function readSite(
  tx: ReadTx,
  { facilityId, referenceNumber, span }: { facilityId: string; referenceNumber: string; span: Span },
): Promise<SiteRecord> {
  const asked = { facilityId, referenceNumber, after: span.from - LONGEST_APPOINTMENT_MS, ...span }
  const [row] = await readRow(tx, asked)
  return {
    doors: doorsIn({ id: facilityId, text: row!.doors }),
    hasReference: row!.reference !== null,
    busy: (JSON.parse(row!.busy) as [string, number, number][]).map(([doorId, from, to]) => ({ doorId, from, to })),
  }
}

interface SiteRow {
  doors: string
  reference: string | null
  busy: string
}

const readRow = precompileQuery<Asked, SiteRow>((tx, asked) => ({
  compile: () => siteQuery(tx, asked).compile(docks(tx)),
}))

export function siteQuery(tx: ReadTx, { facilityId, referenceNumber, after, from, to }: Asked) {
  const list = getEngine(tx) === 'postgres' ? listOnPostgres : listOnSqlite
  return sql<SiteRow>`
    select
      (select ${list('id, name, position, types, active')} from door
        where facility_id = ${facilityId} and removed_at is null) as doors,
      (select id from appointment
        where facility_id = ${facilityId} and reference_number = ${referenceNumber} and status = 'scheduled') as reference,
      (select ${list('door_id, start_at, end_at')} from appointment
        where facility_id = ${facilityId} and start_at > ${after} and start_at < ${to} and end_at > ${from}
          and status <> 'cancelled') as busy`
}

/** The rows as JSON arrays: one text is had sooner than many values one by one. */
const listOnSqlite = (columns: string) => sql.raw(`json_group_array(json_array(${columns}))`)
const listOnPostgres = (columns: string) => sql.raw(`coalesce(json_agg(json_build_array(${columns})), '[]')::text`)

const doorsIn = parsedOnce(({ text }: { id: string; text: string }): readonly Door[] => {
  const rows = JSON.parse(text) as [string, string, number, string, number][]
  const doors = rows.map(([id, name, position, types, active]) => {
    return { id, name, position, types: JSON.parse(types), active: active === 1 }
  })
  return doors.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
})
