import { sql } from 'kysely'
import { derivedValues, precompileQuery, type ReadTx } from '../../../storage'
import { findDoors } from '../../facilities/queries/facilities'
import { type Door, MAX_APPOINTMENT_MS } from '../../facilities/rules/facility'
import { docksTables } from '../../queries/docks-tables'
import { memoizeByRow } from '../../queries/memoize-by-row'
import type { BusySpan, Span } from '../rules/spans'
import { hasScheduledReference, listBusySpans } from './appointments'

/** The data that a booking is decided by, in addition to its facility. */
export interface BookingSiteRecord {
  /** By position, without removed doors. */
  doors: readonly Door[]
  /** Whether the facility has a scheduled appointment with one of the references. */
  hasReference: boolean
  /** The busy spans of appointments and holds that overlap the span. */
  busy: BusySpan[]
}

interface SiteRecordRequest {
  facilityId: string
  referenceNumber: string
  /** The longest appointment before the span, so that the index on starts is enough to find every overlap. */
  after: number
  from: number
  to: number
  now: number
}

/**
 * Reads everything with one statement from a server, because the facility is locked during each round trip. In a file, most of it is known from
 * earlier transactions.
 */
export async function loadSiteRecord(
  tx: ReadTx,
  { facilityId, numbers, span, now }: { facilityId: string; numbers: readonly string[]; span: Span; now: number },
): Promise<BookingSiteRecord> {
  if (derivedValues(tx, 'appointment') !== null)
    return {
      doors: await findDoors(tx, facilityId),
      hasReference: await hasScheduledReference(tx, facilityId, numbers),
      busy: await listBusySpans(tx, { id: facilityId, limits: [] }, span, { now }),
    }
  const [referenceNumber = '', ...others] = numbers
  const params = { facilityId, referenceNumber, after: span.from - MAX_APPOINTMENT_MS, ...span, now }
  const [row] = await runSiteQuery(tx, params)
  return {
    doors: parseDoors({ id: facilityId, text: row!.doors }),
    hasReference:
      row!.reference !== null || (others.length > 0 && (await hasScheduledReference(tx, facilityId, numbers))),
    busy: [...parseBusySpans(row!.busy), ...parseBusySpans(row!.held)],
  }
}

function parseBusySpans(text: string): BusySpan[] {
  return (JSON.parse(text) as [string, number, number][]).map(([doorId, from, to]) => ({ doorId, from, to }))
}

interface SiteRow {
  doors: string
  reference: string | null
  busy: string
  held: string
}

const runSiteQuery = precompileQuery<SiteRecordRequest, SiteRow>((tx, params) => ({
  compile: () => siteRecordQuery(params).compile(docksTables(tx)),
}))

export function siteRecordQuery({ facilityId, referenceNumber, after, from, to, now }: SiteRecordRequest) {
  return sql<SiteRow>`
    select
      (select ${jsonList('id, name, position, types, active, features, max_height')} from door
        where facility_id = ${facilityId} and removed_at is null) as doors,
      (select id from appointment
        where facility_id = ${facilityId} and reference_number = ${referenceNumber} and status = 'scheduled'
        union all
        select appointment.id from appointment_reference as other inner join appointment on appointment.id = other.appointment_id
        where other.facility_id = ${facilityId} and other.reference_number = ${referenceNumber}
          and appointment.facility_id = ${facilityId} and status = 'scheduled'
        limit 1) as reference,
      (select ${jsonList('door_id, start_at, end_at')} from appointment
        where facility_id = ${facilityId} and start_at > ${after} and start_at < ${to} and end_at > ${from}
          and status <> 'cancelled') as busy,
      (select ${jsonList('door_id, start_at, end_at')} from slot_hold
        where facility_id = ${facilityId} and start_at > ${after} and start_at < ${to} and end_at > ${from}
          and expires_at > ${now}) as held`
}

/** The rows as JSON arrays: reading one text is faster than reading many values. */
const jsonList = (columns: string) => sql.raw(`coalesce(json_agg(json_build_array(${columns})), '[]')::text`)

const parseDoors = memoizeByRow(({ text }: { id: string; text: string }): readonly Door[] => {
  const rows = JSON.parse(text) as [string, string, number, string, number, string, number | null][]
  const doors = rows.map(([id, name, position, types, active, features, maxHeight]) => ({
    id,
    name,
    position,
    types: JSON.parse(types),
    active: active === 1,
    features: JSON.parse(features),
    maxHeight,
  }))
  return doors.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
})
