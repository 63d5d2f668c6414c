import type { ResultOf } from '../../src/catalog'
import { formatDateTimeAt } from './appointment'
import { type Cell, renderCsv } from './csv'

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
  ['equipmentId', (entry) => entry.equipmentId],
  ['durationMinutes', (entry) => entry.durationMinutes],
  ['palletCount', (entry) => entry.palletCount],
  ['pieceCount', (entry) => entry.pieceCount],
  ['weight', (entry) => entry.weight],
  ['loadDescription', (entry) => entry.loadDescription],
  ['requirements', (entry) => entry.requirements.join(' ') || null],
  ['equipmentHeight', (entry) => entry.equipmentHeight],
]

/** With a line of names. */
export function renderAppointmentsCsv(list: readonly Listed[]): string {
  return renderCsv([columns.map(([name]) => name), ...list.map((entry) => columns.map(([, value]) => value(entry)))])
}
