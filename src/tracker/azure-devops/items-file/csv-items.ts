import { StudioError } from '../../../kernel'
import { type CsvRecord, delimiterOf, parseCsv } from '../../../kernel/csv'
import type { ItemsFileReading, ToldItem, ToldItems, ToldRow } from '../../told-item'
import { fieldNames } from '../field-values'
import { type CellForm, cellValue, dayOrderOf, instantIn, shown, UnreadableCell } from './cells'
import { type FileField, fileFieldNamed, ID, LINK_TYPE, REV } from './file-field'
import { largestWhole } from './limits'
import { propertiesOf } from './told-fields'

/** A column of the file, and which field it holds. `depth` counts the columns of a tree: `Title 1`, `Title 2`. */
interface Column extends FileField {
  title: string
  depth: number | null
}

/** The rows of the tracker's own export: a line of names, then an item a row; a tree has its titles in `Title 1`, `Title 2`, …. */
export function csvItems(text: string, reading: ItemsFileReading): ToldItems {
  const [head, ...records] = parseCsv(text.replaceAll('\u0000', ''))
  if (!head) throw new StudioError('invalid', 'There is nothing in the file.')
  const columns = columnsOf(head, reading.columns)
  const form: CellForm = {
    hasDecimalComma: delimiterOf(text) !== ',',
    dayOrder: reading.dayOrder ?? orderIn(columns, records),
    timeZone: reading.timeZone,
  }
  const tree = new Tree(columns.some(({ referenceName }) => referenceName === LINK_TYPE))
  const rows = records.map((record): ToldRow => {
    const read = readRecord(record, columns, form)
    return 'problem' in read ? read : { line: record.line, item: tree.placed(read.item, read) }
  })
  return {
    format: 'csv',
    rows,
    columns: columns.map(({ title, referenceName }) => ({ title, field: referenceName })),
    trackers: [],
    notes: tree.notes,
  }
}

function columnsOf({ line, cells: titles }: CsvRecord, given: ReadonlyMap<string, string>): Column[] {
  const columns = titles.map((title) => columnOf(title.trim(), given))
  const unused = [...given.keys()].filter((name) => !titles.some((title) => isTitled(title.trim(), name)))
  if (unused.length > 0) throw noSuchColumn(unused[0]!, { line, titles })
  const names = columns.map(({ referenceName, depth }) => `${referenceName} ${depth ?? ''}`)
  const twice = columns.findIndex((_, at) => names.indexOf(names[at]!) !== at)
  if (twice >= 0) {
    const first = columns[names.indexOf(names[twice]!)]!
    throw new StudioError(
      'invalid',
      `Two columns are ${columns[twice]!.referenceName}: ${shown(first.title)} and ${shown(columns[twice]!.title)}.`,
      { hint: 'Leave one of them out.' },
    )
  }
  const isThere = (name: string) => columns.some(({ referenceName }) => referenceName === name)
  for (const [name, field] of [
    ['ID', ID],
    ['Title', fieldNames.title],
  ] as const) {
    if (!isThere(field)) throw noColumn(name, { line, titles })
  }
  return columns
}

function columnOf(title: string, given: ReadonlyMap<string, string>): Column {
  const [, base = title, number] = /^(.*\S)\s+(\d+)$/.exec(title) ?? []
  const named = given.get(title) ?? given.get(base)
  const whole = fileFieldNamed(given.get(title) ?? title)
  if (whole) return { ...whole, title, depth: null }
  const inTree = number === undefined ? null : fileFieldNamed(named ?? base)
  if (inTree?.referenceName === fieldNames.title) return { ...inTree, title, depth: Number(number) }
  // What is no field known here is kept as it is told.
  return { referenceName: named ?? title, kind: 'text', title, depth: null }
}

function isTitled(title: string, name: string): boolean {
  return title === name || (title.startsWith(name) && /^\s+\d+$/.test(title.slice(name.length)))
}

function listed(titles: readonly string[]): string {
  const most = 20
  const named = titles.slice(0, most).map((title) => shown(title.trim()))
  return titles.length > most ? `${named.join(', ')} and ${titles.length - most} more` : named.join(', ')
}

interface Head {
  line: number
  titles: readonly string[]
}

function noColumn(name: string, { line, titles }: Head): StudioError {
  return new StudioError('invalid', `Line ${line}: there is no column ${name}. The file has: ${listed(titles)}.`, {
    hint: `Add the column ${name} to the query and export it again; or say which column it is: --column "<name in the file>=${name}"`,
  })
}

function noSuchColumn(name: string, { line, titles }: Head): StudioError {
  return new StudioError(
    'invalid',
    `Line ${line}: there is no column ${shown(name)}. The file has: ${listed(titles)}.`,
    {
      hint: 'Write it as the file does: --column "<name in the file>=<field>"',
    },
  )
}

/** Throws where the file has dates that can be read in two ways. */
function orderIn(columns: readonly Column[], records: readonly CsvRecord[]): CellForm['dayOrder'] {
  const dates = columns.flatMap(({ kind }, at) => (kind === 'date' ? [at] : []))
  const cells = function* () {
    for (const { cells } of records) for (const at of dates) yield cells[at] ?? ''
  }
  const { order, doubtful } = dayOrderOf(cells())
  if (doubtful === null) return order
  const at = records.find(({ cells }) => dates.some((column) => cells[column]?.trim() === doubtful))!
  const column = dates.find((index) => at.cells[index]?.trim() === doubtful)!
  throw new StudioError(
    'invalid',
    `Line ${at.line}, ${columns[column]!.title}: ${shown(doubtful)} can be read in two ways, and no date of the file tells which.`,
    { hint: 'Say which comes first: --dates dmy (the day) or --dates mdy (the month)' },
  )
}

interface ReadRecord {
  item: ToldItem
  depth: number | null
  linkType: string | null
}

type Problem = Exclude<ToldRow, { item: ToldItem }>

function readRecord({ line, cells }: CsvRecord, columns: readonly Column[], form: CellForm): ReadRecord | Problem {
  const idCell = cells[columns.findIndex(({ referenceName }) => referenceName === ID)]?.trim() ?? ''
  const id = idIn(idCell)
  const problem = (column: string | null, text: string): Problem => ({ line, id, column, problem: text })
  if (cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
    return problem(null, `The row has ${cells.length} cells, and there are ${columns.length} columns.`)
  }
  const nameOfId = columns.find(({ referenceName }) => referenceName === ID)!.title
  if (id === null) {
    return problem(
      nameOfId,
      idCell === '' ? 'is empty: the item is not in the tracker yet' : `${shown(idCell)} is no ID`,
    )
  }
  const fields: Record<string, unknown> = {}
  let told: Pick<ToldItem, 'changedAt' | 'changedWithinMs'> = {}
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
      else setField(fields, referenceName, isEmpty ? null : cellValue(kind, cell, form))
      if (referenceName === fieldNames.changedDate && !isEmpty) {
        const { at: changedAt, withinMs } = instantIn(cell, form)
        told = { changedAt, changedWithinMs: withinMs }
      }
    } catch (error) {
      if (error instanceof UnreadableCell) return problem(title, error.message)
      throw error
    }
  }
  const { [ID]: _, [REV]: rev, ...rest } = fields
  if (typeof rev === 'number' && (rev < 1 || rev > largestWhole)) return problem('Rev', `${rev} is no revision`)
  const item: ToldItem = {
    id,
    ...(typeof rev === 'number' ? { rev } : {}),
    ...propertiesOf(rest),
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

function idIn(cell: string): number | null {
  const id = /^\d{1,10}$/.test(cell) ? Number(cell) : 0
  return id >= 1 && id <= largestWhole ? id : null
}

/** Who stands below whom, by the order of the rows: each below the last row before it that stands further left. */
class Tree {
  readonly #open: { depth: number; id: number }[] = []
  #others = 0

  /** `hasLinkTypes`: the rows further right are linked somehow, and a column says how. */
  constructor(private readonly hasLinkTypes: boolean) {}

  placed(item: ToldItem, { depth, linkType }: ReadRecord): ToldItem {
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
