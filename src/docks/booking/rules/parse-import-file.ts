import { type ImportFormat, type ImportRow, parseRows } from '../../rules/import-file'
import { mapFields } from './load-fields'
import { type Kinds, loadKinds } from './load-kinds'
import { parseReferenceList } from './references'

/** The rows of a file with bookings, as `parseRows` has them. */
export function parseImportFile(text: string): ImportRow[] {
  return parseRows(text, bookings)
}

const columns = {
  facility: ['facility'],
  facilityId: ['facilityid'],
  facilityCode: ['facilitycode'],
  type: ['type', 'direction'],
  carrierName: ['carriername', 'carrier'],
  referenceNumber: ['referencenumber', 'reference', 'ref'],
  references: ['references', 'pos'],
  targetDate: ['targetdate', 'date'],
  startTime: ['starttime', 'start'],
  doorName: ['doorname', 'door'],
  durationMinutes: ['durationminutes', 'duration', 'minutes'],
  ...mapFields(({ importTitles }, key) => [key.toLowerCase(), ...importTitles]),
  trailerId: ['trailerid', 'trailer'],
  id: ['id'],
  status: ['status'],
  endTime: ['endtime', 'end'],
}

const kinds: Record<string, keyof Kinds> = mapFields(({ kind }) => kind)

const bookings: ImportFormat = {
  noun: 'a booking',
  columns,
  ignored: ['facilityName', 'doorId', 'localStart', 'localEnd', 'timeZone', 'step', 'pinned', 'sequence', 'updatedAt'],
  choices: ['type', 'status'],
  parseCell(field, { text, plain }) {
    if (field === 'references') return parseReferenceList(text)
    const kind = field === 'durationMinutes' ? 'number' : kinds[field]
    return kind && loadKinds[kind].parse(plain)
  },
}
