import { StudioError } from '../../kernel'
import { isRecord } from '../../kernel/json'
import { parseCsv } from '../../kernel/text/csv'

/** A row of a file: its fields by name, or why they cannot be read. `columns` are the titles of the fields in a CSV file. */
export type ImportRow =
  | { line: number; fields: Record<string, unknown>; columns?: ReadonlyMap<string, string> }
  | { line: number; rowError: string }

/** What the rows of a file are. */
export interface ImportFormat {
  /** In messages, such as `a booking`. */
  noun: string
  /** The titles that a column of each field may have, in lower-case letters alone. */
  columns: Readonly<Record<string, readonly string[]>>
  /** Fields of an exported list that an import does not need. */
  ignored: readonly string[]
  /** Fields that have one of several words, which people write in any letter case. */
  choices: readonly string[]
  /** The value of a cell; `undefined` if that is its text. `plain` is the text without what an export adds for spreadsheets. */
  parseCell?(field: string, cell: { text: string; plain: string }): unknown
}

/**
 * Parses the rows of a JSON array, NDJSON, or CSV with a header line. `line` counts lines; in a JSON array, entries. Throws `invalid` for
 * any other text.
 */
export function parseRows(text: string, format: ImportFormat): ImportRow[] {
  const fields = indexFields(format)
  const first = text.replace(/^\ufeff/, '').trimStart()[0]
  if (first === undefined) throw emptyFileError()
  if (first === '[') return parseJsonArray(text, fields)
  return first === '{' ? parseNdjson(text, fields) : parseCsvRows(text, fields)
}

function emptyFileError(): StudioError {
  return new StudioError('invalid', 'The file is empty.', { hint: SUPPORTED_FORMATS })
}

const SUPPORTED_FORMATS = 'Use CSV with a header line, a JSON array, or one JSON object per line.'

function parseJsonArray(text: string, fields: Fields): ImportRow[] {
  return (parseJson(text.replace(/^\ufeff/, '')) as unknown[]).map((entry, index) =>
    toImportRow(entry, index + 1, fields),
  )
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

function parseNdjson(text: string, fields: Fields): ImportRow[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .flatMap((line, index) => {
      if (line.trim() === '') return []
      try {
        return [toImportRow(JSON.parse(line), index + 1, fields)]
      } catch (error) {
        return [{ line: index + 1, rowError: `is not valid JSON: ${(error as Error).message}` }]
      }
    })
}

function toImportRow(value: unknown, line: number, fields: Fields): ImportRow {
  if (!isRecord(value)) return { line, rowError: 'is not a JSON object' }
  // A name that no field has is refused later, together with the other errors of the row.
  const given = Object.entries(value).map(([name, each]) => {
    const field = fields.find(name) ?? name
    return [field, fields.toChoice(field, each)] as const
  })
  const names = given.map(([field]) => field)
  const duplicate = names.find((field, index) => names.indexOf(field) !== index)
  if (duplicate !== undefined) return { line, rowError: `has two values of the field ${duplicate}` }
  return { line, fields: fields.omitIgnored(given) }
}

interface Fields {
  format: ImportFormat
  /** The field with this name, in any letter case, with spaces or without; null if there is none. */
  find(name: string): string | null
  toChoice(field: string, value: unknown): unknown
  parseCell(field: string, cell: string): unknown
  omitIgnored(given: readonly (readonly [string, unknown])[]): Record<string, unknown>
}

function indexFields(format: ImportFormat): Fields {
  const byName = new Map([
    ...format.ignored.map((name) => [name.toLowerCase(), name] as const),
    ...Object.entries(format.columns).flatMap(([field, names]) => names.map((name) => [name, field] as const)),
  ])
  const toChoice = (field: string, value: unknown) =>
    format.choices.includes(field) && typeof value === 'string' ? value.trim().toLowerCase() : value
  return {
    format,
    find: (name) => byName.get(name.toLowerCase().replace(/[^a-z0-9]/g, '')) ?? null,
    toChoice,
    parseCell(field, cell) {
      const text = cell.trim()
      const plain = GUARDED_FORMULA.test(text) ? text.slice(1) : text
      const parsed = format.parseCell?.(field, { text, plain })
      return parsed === undefined ? toChoice(field, plain) : parsed
    },
    omitIgnored: (given) => Object.fromEntries(given.filter(([name]) => !format.ignored.includes(name))),
  }
}

/** A text to which an export has added an apostrophe, because a spreadsheet would run it as a formula. */
const GUARDED_FORMULA = /^'+[=+\-@|%\uff1d\uff0b\uff0d\uff20]/

function parseCsvRows(text: string, fields: Fields): ImportRow[] {
  const [head, ...records] = parseCsv(text)
  if (!head) throw emptyFileError()
  const names = head.cells.map((title) => (title.trim() === '' ? null : requireField(title, fields)))
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
    const given = filled.map(({ name, cell }) => [name!, fields.parseCell(name!, cell)] as const)
    return [{ line, fields: fields.omitIgnored(given), columns: titles }]
  })
}

function requireField(title: string, { find, format }: Fields): string {
  const field = find(title)
  if (field !== null) return field
  throw new StudioError('invalid', `The column ${JSON.stringify(title)} is not a field of ${format.noun}.`, {
    hint: `Remove it, or use one of these: ${Object.keys(format.columns).join(', ')}.`,
  })
}
