import { StudioError } from '../../../kernel'
import { type CsvRecord, delimiterOf, parseCsv } from '../../../kernel/text/csv'
import type { ImportedItem, ImportedItems, ItemsFileOptions, ParsedRow, RowError } from '../../tracker'
import { fieldNames } from '../field-values'
import { MAX_ID } from '../wire-schemas'
import { type FileField, findFileField, ID, LINK_TYPE, mapImportedFields, REV } from './imported-fields'
import { type CellFormat, detectDayOrder, InvalidCellError, parseCell, parseInstantCell, quote } from './parse-cell'

/** A column of the file and its field. `depth` is the number of a title column in a tree: `Title 1`, `Title 2`. */
interface Column extends FileField {
  title: string
  depth: number | null
}

/** More than any tracker exports. */
const MAX_COLUMNS = 1_000
const ROWS_PER_STEP = 100

/**
 * Parses the tracker's CSV export in steps: a header, then one item per row. A tree has the title columns `Title 1`, `Title 2`, ….
 */
export function* parseCsvItems(text: string, options: ItemsFileOptions): Generator<void, ImportedItems> {
  const [head, ...records] = parseCsv(text.replaceAll('\u0000', ''))
  if (!head) throw new StudioError('invalid', 'The file is empty.')
  const columns = parseColumns(head, options.columns)
  const format: CellFormat = {
    hasDecimalComma: delimiterOf(text) !== ',',
    dayOrder: options.dayOrder ?? resolveDayOrder(columns, records),
    timeZone: options.timeZone,
  }
  const tree = new RowTree(columns.some(({ referenceName }) => referenceName === LINK_TYPE))
  const rows: ParsedRow[] = []
  for (const record of records) {
    const parsed = parseRecord(record, columns, format)
    rows.push('problem' in parsed ? parsed : { line: record.line, item: tree.addParent(parsed.item, parsed) })
    if (rows.length % ROWS_PER_STEP === 0) yield
  }
  return {
    format: 'csv',
    rows,
    columns: columns.map(({ title, referenceName }) => ({ title, field: referenceName })),
    trackers: [],
    notes: tree.notes,
  }
}

function parseColumns({ line, cells: titles }: CsvRecord, given: ReadonlyMap<string, string>): Column[] {
  if (titles.length > MAX_COLUMNS)
    throw new StudioError('too_complex', `The file has ${titles.length} columns; the maximum is ${MAX_COLUMNS}.`, {
      hint: 'Export only the columns that you need.',
    })
  const columns = titles.map((title) => parseColumn(title.trim(), given))
  const createColumnError = (name: string, hint: string) => {
    const message = `Line ${line}: there is no column ${name}. The file has: ${listTitles(titles)}.`
    return new StudioError('invalid', message, { hint })
  }
  const unused = [...given.keys()].find((name) => !titles.some((title) => hasTitle(title.trim(), name)))
  if (unused !== undefined)
    throw createColumnError(quote(unused), 'Use the name in the file: --column "<name in the file>=<field>"')
  for (const [at, column] of columns.entries()) {
    const first = columns.slice(0, at).find((one) => isSameField(one, column))
    if (!first) continue
    throw new StudioError(
      'invalid',
      `Two columns contain ${column.referenceName}: ${quote(first.title)} and ${quote(column.title)}.`,
      { hint: 'Remove one of them.' },
    )
  }
  for (const [name, field] of Object.entries({ ID, Title: fieldNames.title })) {
    if (columns.some(({ referenceName }) => referenceName === field)) continue
    throw createColumnError(
      name,
      `Add the column ${name} to the query and export it again, or name its column: --column "<name in the file>=${name}"`,
    )
  }
  return columns
}

function isSameField(a: Column, b: Column): boolean {
  return a.referenceName === b.referenceName && a.depth === b.depth
}

function parseColumn(title: string, given: ReadonlyMap<string, string>): Column {
  const [, base = title, number] = /^(.*\S)\s+(\d+)$/.exec(title) ?? []
  const named = given.get(title) ?? given.get(base)
  const exact = findFileField(given.get(title) ?? title)
  if (exact) return { ...exact, title, depth: null }
  const inTree = number === undefined ? null : findFileField(named ?? base)
  if (inTree?.referenceName === fieldNames.title) return { ...inTree, title, depth: Number(number) }
  // The values of unknown fields are saved as text.
  return { referenceName: named ?? title, kind: 'text', title, depth: null }
}

function hasTitle(title: string, name: string): boolean {
  return title === name || (title.startsWith(name) && /^\s+\d+$/.test(title.slice(name.length)))
}

function listTitles(titles: readonly string[]): string {
  const maxTitles = 20
  const named = titles.slice(0, maxTitles).map((title) => quote(title.trim()))
  return titles.length > maxTitles ? `${named.join(', ')} and ${titles.length - maxTitles} more` : named.join(', ')
}

/** Throws if the file has only dates that can be read in two ways. */
function resolveDayOrder(columns: readonly Column[], records: readonly CsvRecord[]): CellFormat['dayOrder'] {
  const dates = columns.flatMap(({ kind }, at) => (kind === 'date' ? [at] : []))
  const cells = function* () {
    for (const { cells } of records) for (const at of dates) yield cells[at] ?? ''
  }
  const { order, ambiguous } = detectDayOrder(cells())
  if (ambiguous === null) return order
  const at = records.find(({ cells }) => dates.some((column) => cells[column]?.trim() === ambiguous))!
  const column = dates.find((index) => at.cells[index]?.trim() === ambiguous)!
  throw new StudioError(
    'invalid',
    `Line ${at.line}, ${columns[column]!.title}: ${quote(ambiguous)} can be read in two ways, and no other date of the file shows which is right.`,
    { hint: 'Specify the order: --dates dmy (day first) or --dates mdy (month first)' },
  )
}

interface ParsedRecord {
  item: ImportedItem
  depth: number | null
  linkType: string | null
}

function parseRecord(
  { line, cells }: CsvRecord,
  columns: readonly Column[],
  format: CellFormat,
): ParsedRecord | RowError {
  const idCell = cells[columns.findIndex(({ referenceName }) => referenceName === ID)]?.trim() ?? ''
  const id = parseId(idCell)
  const problem = (column: string | null, text: string): RowError => ({ line, id, column, problem: text })
  if (cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
    return problem(null, `The row has ${cells.length} cells, but there are ${columns.length} columns.`)
  }
  const nameOfId = columns.find(({ referenceName }) => referenceName === ID)!.title
  if (id === null) {
    return problem(
      nameOfId,
      idCell === '' ? 'is empty: the item is not in the tracker yet' : `${quote(idCell)} is not an ID`,
    )
  }
  const fields: Record<string, unknown> = {}
  let change: Pick<ImportedItem, 'changedAt' | 'changedAtPrecisionMs'> = {}
  let depth: number | null = null
  let linkType: string | null = null
  for (const [at, { title, referenceName, kind, depth: level }] of columns.entries()) {
    const cell = cells[at] ?? ''
    const isEmpty = cell.trim() === ''
    try {
      if (level !== null) {
        if (isEmpty) continue
        if (depth !== null) return problem(title, 'has a title, but a column before it has one too')
        depth = level
      }
      if (referenceName === LINK_TYPE) linkType = cell.trim()
      else setField(fields, referenceName, isEmpty ? null : parseCell(kind, cell, format))
      if (referenceName === fieldNames.changedDate && !isEmpty) {
        const { at: changedAt, precisionMs: withinMs } = parseInstantCell(cell, format)
        change = { changedAt, changedAtPrecisionMs: withinMs }
      }
    } catch (error) {
      if (error instanceof InvalidCellError) return problem(title, error.message)
      throw error
    }
  }
  const { [ID]: _, [REV]: rev, ...rest } = fields
  if (typeof rev === 'number' && (rev < 1 || rev > MAX_ID)) return problem('Rev', `${rev} is not a revision`)
  const item: ImportedItem = {
    id,
    ...(typeof rev === 'number' ? { rev } : {}),
    ...mapImportedFields(rest),
    ...change,
    fields,
  }
  if (item.title === '' || item.title === undefined) return problem('Title', 'is empty')
  return { item, depth, linkType }
}

/** The title of a column may be `__proto__`. */
function setField(fields: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })
}

function parseId(cell: string): number | null {
  const id = /^\d{1,10}$/.test(cell) ? Number(cell) : 0
  return id >= 1 && id <= MAX_ID ? id : null
}

/** Derives parents from the order of the rows: the parent is the last row before with a smaller depth. */
class RowTree {
  readonly #open: { depth: number; id: number }[] = []
  #ignoredLinks = 0

  /** `hasLinkTypes`: whether a column contains the type of the link to the row above. */
  constructor(private readonly hasLinkTypes: boolean) {}

  addParent(item: ImportedItem, { depth, linkType }: ParsedRecord): ImportedItem {
    if (depth === null) return item
    while (this.#open.length > 0 && this.#open.at(-1)!.depth >= depth) this.#open.pop()
    const parent = this.#open.at(-1)
    this.#open.push({ depth, id: item.id })
    // A row of the lowest depth may have a parent that the query does not show.
    if (parent === undefined || item.parentId !== undefined) return item
    if (!this.hasLinkTypes || linkType?.toLowerCase() === 'child') {
      return { ...item, parentId: parent.id, fields: { ...item.fields, [fieldNames.parent]: parent.id } }
    }
    this.#ignoredLinks += 1
    return item
  }

  get notes(): string[] {
    return this.#ignoredLinks === 0
      ? []
      : [
          `${this.#ignoredLinks} rows are below another row because of a link that is not from parent to child. These links were ignored.`,
        ]
  }
}
