import type { ResultOf } from '../../../src/catalog'
import { type Cell, renderCsv } from '../csv'
import { formatDateTimeAt } from './appointment'

type Listed = ResultOf<'yard.list'>[number]

/** The import of trailers reads the same columns. */
const columns: readonly (readonly [string, (trailer: Listed) => Cell])[] = [
  ['id', ({ id }) => id],
  ['facilityCode', ({ facilityCode }) => facilityCode],
  ['number', ({ number }) => number],
  ['carrierName', ({ carrierName }) => carrierName],
  ['loaded', ({ loaded }) => (loaded ? 'yes' : 'no')],
  ['spotName', ({ spotName }) => spotName],
  ['doorName', ({ doorName }) => doorName],
  ['appointmentId', ({ appointmentId }) => appointmentId],
  ['referenceNumber', ({ referenceNumber }) => referenceNumber],
  ['arrivedAt', ({ arrivedAt }) => arrivedAt],
  ['localArrival', ({ arrivedAt, timeZone }) => formatDateTimeAt(arrivedAt, timeZone)],
  ['leftAt', ({ leftAt }) => leftAt],
  ['timeZone', ({ timeZone }) => timeZone],
  ['dwellMinutes', ({ dwellMinutes }) => dwellMinutes],
  ['detentionMinutes', ({ detentionMinutes }) => detentionMinutes],
  ['note', ({ note }) => note],
]

/** With a line of names. */
export function renderTrailersCsv(list: readonly Listed[]): string {
  return renderCsv([columns.map(([name]) => name), ...list.map((entry) => columns.map(([, value]) => value(entry)))])
}
