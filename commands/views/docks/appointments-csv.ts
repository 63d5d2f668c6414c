import type { ResultOf } from '../../../src/catalog'
import { toCell } from '../../../src/docks/booking/rules/load'
import { loadKeys } from '../../../src/docks/booking/rules/load-fields'
import { formatReferenceList } from '../../../src/docks/booking/rules/references'
import { type Cell, renderCsv } from '../csv'
import { formatDateTimeAt } from './appointment'

type Listed = ResultOf<'appointments.list'>[number]

const columns: readonly (readonly [string, (entry: Listed) => Cell])[] = [
  ['id', (entry) => entry.id],
  ['facilityCode', (entry) => entry.facilityCode],
  ['facilityName', (entry) => entry.facilityName],
  ['doorName', (entry) => entry.doorName],
  ['type', (entry) => entry.type],
  ['status', (entry) => entry.status],
  ['startTime', (entry) => entry.startTime],
  ['endTime', (entry) => entry.endTime],
  ['localStart', (entry) => formatDateTimeAt(entry.startTime, entry.timeZone)],
  ['localEnd', (entry) => formatDateTimeAt(entry.endTime, entry.timeZone)],
  ['timeZone', (entry) => entry.timeZone],
  ['carrierName', (entry) => entry.carrierName],
  ['referenceNumber', (entry) => entry.referenceNumber],
  ['references', (entry) => (entry.references.length > 1 ? formatReferenceList(entry.references) : null)],
  ['durationMinutes', (entry) => entry.durationMinutes],
  ...loadKeys.map((key) => [key, (entry: Listed) => toCell(key, entry[key])] as const),
]

/** With a line of names. */
export function renderAppointmentsCsv(list: readonly Listed[]): string {
  return renderCsv([columns.map(([name]) => name), ...list.map((entry) => columns.map(([, value]) => value(entry)))])
}
