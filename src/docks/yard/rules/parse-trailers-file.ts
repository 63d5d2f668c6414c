import { type ImportFormat, type ImportRow, parseRows } from '../../rules/import-file'

/** The rows of a file with trailers, as `parseRows` has them. */
export function parseTrailersFile(text: string): ImportRow[] {
  return parseRows(text, trailers)
}

const trailers: ImportFormat = {
  noun: 'a trailer',
  columns: {
    number: ['number', 'trailer', 'trailernumber'],
    carrierName: ['carriername', 'carrier'],
    loaded: ['loaded'],
    spotName: ['spotname', 'spot'],
    doorName: ['doorname', 'door'],
    appointment: ['appointment', 'reference', 'referencenumber'],
    appointmentId: ['appointmentid'],
    arrivedAt: ['arrivedat', 'arrived', 'arrival'],
    leftAt: ['leftat', 'left'],
    note: ['note'],
  },
  // Of an exported list.
  ignored: [
    ...['id', 'facilityId', 'facilityCode', 'timeZone', 'placedAt', 'localArrival'],
    ...['dwellMinutes', 'detentionMinutes'],
  ],
  choices: ['loaded'],
}
