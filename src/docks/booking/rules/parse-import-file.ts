import { StudioError } from '../../../kernel'
import { isRecord } from '../../../kernel/json'
import { parseCsv } from '../../../kernel/text/csv'
import { mapFields } from './load-fields'
import { type Kinds, loadKinds } from './load-kinds'
import { parseReferenceList } from './references'

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
  // A name that no field has is refused later, together with the other errors of the row.
  const given = Object.entries(value).map(([name, each]) => {
    const field = findField(name) ?? name
    return [field, toChoice(field, each)] as const
  })
  const names = given.map(([field]) => field)
  const duplicate = names.find((field, index) => names.indexOf(field) !== index)
  if (duplicate !== undefined) return { line, rowError: `has two values of the field ${duplicate}` }
  return { line, fields: omitExportOnly(given) }
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

function parseCsvRows(text: string): ImportRow[] {
  const [head, ...records] = parseCsv(text)
  if (!head) throw emptyFileError()
  const names = head.cells.map((title) => (title.trim() === '' ? null : requireField(title)))
  const duplicate = names.find((name, index) => name !== null && names.indexOf(name) !== index)
  if (duplicate)
    throw new StudioError('invalid', `Two columns have the field ${duplicate}.`, { hint: 'Remove one of them.' })
  const titles = new Map(
    head.cells.flatMap((title, index) => (names[index] == null ? [] : [[names[index], title.trim()] as const])),
  )
  return records.flatMap(({ line, cells }): ImportRow[] => {
    const filled = cells.flatMap((cell, index) => (cell.trim() === '' ? [] : [{ name: names[index] ?? null, cell }]))
    // Spreadsheets write the empty rows and columns around a table too.
    if (filled.length === 0) return []
    const untitled = filled.find(({ name }) => name === null)
    if (untitled) return [{ line, rowError: `has ${JSON.stringify(untitled.cell)} in a column without a title` }]
    const given = filled.map(({ name, cell }) => [name!, parseCell(name!, cell)] as const)
    return [{ line, fields: omitExportOnly(given), columns: titles }]
  })
}

function requireField(title: string): string {
  const field = findField(title)
  if (field !== null) return field
  throw new StudioError('invalid', `The column ${JSON.stringify(title)} is not a field of a booking.`, {
    hint: `Remove it, or use one of these: ${Object.keys(columns).join(', ')}.`,
  })
}

/** The field with this name, in any letter case, with spaces or without; null if there is none. */
function findField(name: string): string | null {
  return fieldsByName.get(name.toLowerCase().replace(/[^a-z0-9]/g, '')) ?? null
}

const fieldsByName = new Map([
  ...exportOnly.map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(columns).flatMap(([field, names]) => names.map((name) => [name, field] as const)),
])

/** Fields that have one of several values, which people write in any letter case. */
const choices: readonly string[] = ['type', 'status']

function toChoice(field: string, value: unknown): unknown {
  return choices.includes(field) && typeof value === 'string' ? value.trim().toLowerCase() : value
}

function parseCell(field: string, cell: string): unknown {
  const text = cell.trim()
  if (field === 'references') return parseReferenceList(text)
  const kind = field === 'durationMinutes' ? 'number' : kinds[field]
  const plain = GUARDED_FORMULA.test(text) ? text.slice(1) : text
  return kind === undefined ? toChoice(field, plain) : loadKinds[kind].parse(plain)
}

/** A text to which an export has added an apostrophe, because a spreadsheet would run it as a formula. */
const GUARDED_FORMULA = /^'+[=+\-@|%\uff1d\uff0b\uff0d\uff20]/
