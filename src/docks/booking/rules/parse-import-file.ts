import { StudioError } from '../../../kernel'
import { isRecord } from '../../../kernel/json'
import { parseCsv } from '../../../kernel/text/csv'
import { mapFields } from './load-fields'

/** A row of a file: the fields of a booking by name, or why they cannot be read. `columns` are the titles of the fields in a CSV file. */
export type ImportRow =
  | { line: number; fields: Record<string, unknown>; columns?: ReadonlyMap<string, string> }
  | { line: number; rowError: string }

/**
 * Parses the rows of a JSON array, NDJSON, or CSV with a header line. `line` counts lines; in a JSON array, entries. Throws `invalid` for
 * any other text.
 */
export function parseImportFile(text: string): ImportRow[] {
  const first = text.replace(/^\ufeff/, '').trimStart()[0]
  if (first === undefined) throw emptyFileError()
  if (first === '[') return parseJsonArray(text)
  return first === '{' ? parseNdjson(text) : parseCsvRows(text)
}

function emptyFileError(): StudioError {
  return new StudioError('invalid', 'The file is empty.', { hint: SUPPORTED_FORMATS })
}

const SUPPORTED_FORMATS = 'Use CSV with a header line, a JSON array, or one JSON object per line.'

function parseJsonArray(text: string): ImportRow[] {
  return (parseJson(text.replace(/^\ufeff/, '')) as unknown[]).map((entry, index) => toImportRow(entry, index + 1))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new StudioError('invalid', `The file is not valid JSON: ${(error as Error).message}`, {
      hint: SUPPORTED_FORMATS,
      cause: error,
    })
  }
}

function parseNdjson(text: string): ImportRow[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .flatMap((line, index) => {
      if (line.trim() === '') return []
      try {
        return [toImportRow(JSON.parse(line), index + 1)]
      } catch (error) {
        return [{ line: index + 1, rowError: `is not valid JSON: ${(error as Error).message}` }]
      }
    })
}

function toImportRow(value: unknown, line: number): ImportRow {
  if (!isRecord(value)) return { line, rowError: 'is not a JSON object' }
  return { line, fields: omitExportOnly(Object.entries(value)) }
}

/** Fields of an exported list that a booking does not need. */
const exportOnly: readonly string[] = [
  'facilityName',
  'doorId',
  'localStart',
  'localEnd',
  'timeZone',
  'step',
  'sequence',
  'updatedAt',
]

function omitExportOnly(fields: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter(([name]) => !exportOnly.includes(name)))
}

const columns: Record<string, readonly string[]> = {
  facility: ['facility'],
  facilityId: ['facilityid'],
  facilityCode: ['facilitycode'],
  type: ['type', 'direction'],
  carrierName: ['carriername', 'carrier'],
  referenceNumber: ['referencenumber', 'reference', 'ref'],
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

const kinds: Record<string, string> = mapFields(({ kind }) => kind)

function parseCsvRows(text: string): ImportRow[] {
  const [head, ...records] = parseCsv(text)
  if (!head) throw emptyFileError()
  const names = head.cells.map(findField)
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicate)
    throw new StudioError('invalid', `Two columns have the field ${duplicate}.`, { hint: 'Remove one of them.' })
  const titles = new Map(head.cells.map((title, index) => [names[index]!, title.trim()]))
  return records.map(({ line, cells }) => {
    if (cells.length > names.length)
      return { line, rowError: `has ${cells.length} cells, but there are ${names.length} columns` }
    const given = cells.flatMap((cell, index) =>
      cell.trim() === '' ? [] : [[names[index]!, parseCell(names[index]!, cell)] as const],
    )
    return { line, fields: omitExportOnly(given), columns: titles }
  })
}

function findField(title: string): string {
  const plain = title.toLowerCase().replace(/[^a-z]/g, '')
  const field = Object.entries(columns).find(([, titles]) => titles.includes(plain))
  if (field) return field[0]
  const ignored = exportOnly.find((name) => name.toLowerCase() === plain)
  if (ignored) return ignored
  throw new StudioError('invalid', `The column ${JSON.stringify(title)} is not a field of a booking.`, {
    hint: `Remove it, or use one of these: ${Object.keys(columns).join(', ')}.`,
  })
}

function parseCell(field: string, cell: string): unknown {
  const text = cell.trim()
  const kind = field === 'durationMinutes' ? 'number' : kinds[field]
  if (kind === 'words') return text.split(/\s+/)
  if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return GUARDED_FORMULA.test(text) ? text.slice(1) : text
}

/** A text to which an export has added an apostrophe, because a spreadsheet would run it as a formula. */
const GUARDED_FORMULA = /^'+[=+\-@|%\uff1d\uff0b\uff0d\uff20]/
