import { StudioError } from '../../../kernel'
import { type CsvRecord, delimiterOf, parseCsv } from '../../../kernel/csv'
import type { ImportedItem, ImportedItems, ItemsFileOptions, ParsedRow } from '../../tracker'
import { fieldNames } from '../field-values'
import { MAX_ID } from '../wire-schemas'
import { type FileField, findFileField, ID, LINK_TYPE, mapImportedFields, REV } from './imported-fields'
import { type CellFormat, detectDayOrder, parseCell, parseInstantCell, quote, UnreadableCell } from './parse-cell'

/** A column of the file, and which field it holds. `depth` counts the columns of a tree: `Title 1`, `Title 2`. */
interface Column extends FileField {
  title: string
  depth: number | null
}

/** The rows of the tracker's own export: a line of names, then an item a row; a tree has its titles in `Title 1`, `Title 2`, …. */
export function parseCsvItems(text: string, reading: ItemsFileOptions): ImportedItems {
  const [head, ...records] = parseCsv(text.replaceAll('\u0000', ''))
  if (!head) throw new StudioError('invalid', 'There is nothing in the file.')
  const columns = parseColumns(head, reading.columns)
  const form: CellFormat = {
    hasDecimalComma: delimiterOf(text) !== ',',
    dayOrder: reading.dayOrder ?? resolveDayOrder(columns, records),
    timeZone: reading.timeZone,
  }
  const tree = new RowTree(columns.some(({ referenceName }) => referenceName === LINK_TYPE))
  const rows = records.map((record): ParsedRow => {
    const read = parseRecord(record, columns, form)
    return 'problem' in read ? read : { line: record.line, item: tree.addParent(read.item, read) }
  })
  return {
    format: 'csv',
    rows,
    columns: columns.map(({ title, referenceName }) => ({ title, field: referenceName })),
    trackers: [],
    notes: tree.notes,
  }
}

function parseColumns({ line, cells: titles }: CsvRecord, given: ReadonlyMap<string, string>): Column[] {
  const columns = titles.map((title) => parseColumn(title.trim(), given))
  const unused = [...given.keys()].filter((name) => !titles.some((title) => hasTitle(title.trim(), name)))
  if (unused.length > 0) throw createUnknownColumnError(unused[0]!, { line, titles })
  const names = columns.map(({ referenceName, depth }) => `${referenceName} ${depth ?? ''}`)
  const twice = columns.findIndex((_, at) => names.indexOf(names[at]!) !== at)
  if (twice >= 0) {
    const first = columns[names.indexOf(names[twice]!)]!
    throw new StudioError(
      'invalid',
      `Two columns are ${columns[twice]!.referenceName}: ${quote(first.title)} and ${quote(columns[twice]!.title)}.`,
      { hint: 'Leave one of them out.' },
    )
  }
  const isThere = (name: string) => columns.some(({ referenceName }) => referenceName === name)
  for (const [name, field] of [
    ['ID', ID],
    ['Title', fieldNames.title],
  ] as const) {
    if (!isThere(field)) throw createMissingColumnError(name, { line, titles })
  }
  return columns
}

function parseColumn(title: string, given: ReadonlyMap<string, string>): Column {
  const [, base = title, number] = /^(.*\S)\s+(\d+)$/.exec(title) ?? []
  const named = given.get(title) ?? given.get(base)
  const whole = findFileField(given.get(title) ?? title)
  if (whole) return { ...whole, title, depth: null }
  const inTree = number === undefined ? null : findFileField(named ?? base)
  if (inTree?.referenceName === fieldNames.title) return { ...inTree, title, depth: Number(number) }
  // What is no field known here is kept as it is told.
  return { referenceName: named ?? title, kind: 'text', title, depth: null }
}

function hasTitle(title: string, name: string): boolean {
  return title === name || (title.startsWith(name) && /^\s+\d+$/.test(title.slice(name.length)))
}

function listTitles(titles: readonly string[]): string {
  const most = 20
  const named = titles.slice(0, most).map((title) => quote(title.trim()))
  return titles.length > most ? `${named.join(', ')} and ${titles.length - most} more` : named.join(', ')
}

interface HeaderLine {
  line: number
  titles: readonly string[]
}

function createMissingColumnError(name: string, { line, titles }: HeaderLine): StudioError {
  return new StudioError('invalid', `Line ${line}: there is no column ${name}. The file has: ${listTitles(titles)}.`, {
    hint: `Add the column ${name} to the query and export it again; or say which column it is: --column "<name in the file>=${name}"`,
  })
}

function createUnknownColumnError(name: string, { line, titles }: HeaderLine): StudioError {
  return new StudioError(
    'invalid',
    `Line ${line}: there is no column ${quote(name)}. The file has: ${listTitles(titles)}.`,
    {
      hint: 'Write it as the file does: --column "<name in the file>=<field>"',
    },
  )
}

/** Throws where the file has dates that can be read in two ways. */
function resolveDayOrder(columns: readonly Column[], records: readonly CsvRecord[]): CellFormat['dayOrder'] {
  const dates = columns.flatMap(({ kind }, at) => (kind === 'date' ? [at] : []))
  const cells = function* () {
    for (const { cells } of records) for (const at of dates) yield cells[at] ?? ''
  }
  const { order, doubtful } = detectDayOrder(cells())
  if (doubtful === null) return order
  const at = records.find(({ cells }) => dates.some((column) => cells[column]?.trim() === doubtful))!
  const column = dates.find((index) => at.cells[index]?.trim() === doubtful)!
  throw new StudioError(
    'invalid',
    `Line ${at.line}, ${columns[column]!.title}: ${quote(doubtful)} can be read in two ways, and no date of the file tells which.`,
    { hint: 'Say which comes first: --dates dmy (the day) or --dates mdy (the month)' },
  )
}

interface ParsedRecord {
  item: ImportedItem
  depth: number | null
  linkType: string | null
}

type Problem = Exclude<ParsedRow, { item: ImportedItem }>

function parseRecord({ line, cells }: CsvRecord, columns: readonly Column[], form: CellFormat): ParsedRecord | Problem {
  const idCell = cells[columns.findIndex(({ referenceName }) => referenceName === ID)]?.trim() ?? ''
  const id = parseId(idCell)
  const problem = (column: string | null, text: string): Problem => ({ line, id, column, problem: text })
  if (cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
    return problem(null, `The row has ${cells.length} cells, and there are ${columns.length} columns.`)
  }
  const nameOfId = columns.find(({ referenceName }) => referenceName === ID)!.title
  if (id === null) {
    return problem(
      nameOfId,
      idCell === '' ? 'is empty: the item is not in the tracker yet' : `${quote(idCell)} is no ID`,
    )
  }
  const fields: Record<string, unknown> = {}
  let told: Pick<ImportedItem, 'changedAt' | 'changedAtPrecisionMs'> = {}
  let depth: number | null = null
  let linkType: string | null = null
  for (const [at, { title, referenceName, kind, depth: level }] of columns.entries()) {
    const cell = cells[at] ?? ''
    const isEmpty = cell.trim() === ''
    try {
      if (level !== null) {
        if (isEmpty) continue
        if (depth !== null) return problem(title, 'holds a title, and so does a column before it')
        depth = level
      }
      if (referenceName === LINK_TYPE) linkType = cell.trim()
      else setField(fields, referenceName, isEmpty ? null : parseCell(kind, cell, form))
      if (referenceName === fieldNames.changedDate && !isEmpty) {
        const { at: changedAt, precisionMs: withinMs } = parseInstantCell(cell, form)
        told = { changedAt, changedAtPrecisionMs: withinMs }
      }
    } catch (error) {
      if (error instanceof UnreadableCell) return problem(title, error.message)
      throw error
    }
  }
  const { [ID]: _, [REV]: rev, ...rest } = fields
  if (typeof rev === 'number' && (rev < 1 || rev > MAX_ID)) return problem('Rev', `${rev} is no revision`)
  const item: ImportedItem = {
    id,
    ...(typeof rev === 'number' ? { rev } : {}),
    ...mapImportedFields(rest),
    ...told,
    fields,
  }
  if (item.title === '' || item.title === undefined) return problem('Title', 'is empty')
  return { item, depth, linkType }
}

/** A column may be called anything, `__proto__` too. */
function setField(fields: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })
}

function parseId(cell: string): number | null {
  const id = /^\d{1,10}$/.test(cell) ? Number(cell) : 0
  return id >= 1 && id <= MAX_ID ? id : null
}

/** Who stands below whom, by the order of the rows: each below the last row before it that stands further left. */
class RowTree {
  readonly #open: { depth: number; id: number }[] = []
  #others = 0

  /** `hasLinkTypes`: the rows further right are linked somehow, and a column says how. */
  constructor(private readonly hasLinkTypes: boolean) {}

  addParent(item: ImportedItem, { depth, linkType }: ParsedRecord): ImportedItem {
    if (depth === null) return item
    while (this.#open.length > 0 && this.#open.at(-1)!.depth >= depth) this.#open.pop()
    const above = this.#open.at(-1)
    this.#open.push({ depth, id: item.id })
    // What stands at the left may well have a parent that the query does not show.
    if (above === undefined || item.parentId !== undefined) return item
    if (!this.hasLinkTypes || linkType?.toLowerCase() === 'child') {
      return { ...item, parentId: above.id, fields: { ...item.fields, [fieldNames.parent]: above.id } }
    }
    this.#others += 1
    return item
  }

  get notes(): string[] {
    return this.#others === 0
      ? []
      : [
          `${this.#others} rows stand below another by a link that is none of parent and child; that link was not taken.`,
        ]
  }
}
