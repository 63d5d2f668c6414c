import type { PageStorage } from './database-pages'

/** A value of SQLite, as sql.js returns it. */
type Value = number | string | Buffer | null
type Columns<Row> = readonly (keyof Row & string)[]

interface Table {
  /** The number of its first page. */
  root: number
  columns: string[]
  /** The position of the column that is the ID of a row; -1 if there is none. */
  key: number
}

/** A page of a table: a leaf has rows, the others have the pages below them. */
interface Page {
  number: number
  isLeaf: boolean
  /** How many rows, or pages below but the last one. */
  count: number
  /** Where the offsets of its entries begin. */
  pointers: number
}

/** The table of tables is on the first page. */
const SCHEMA: Table = { root: 1, columns: ['type', 'name', 'tbl_name', 'rootpage', 'sql'], key: -1 }

const [FILE_HEADER_BYTES, RESERVED_AT, ENCODING_AT] = [100, 20, 56]
const [INTERIOR, LEAF] = [5, 13]
const UTF8 = 1
/** The lengths of values by their types. Longer ones are texts and blobs. */
const LENGTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]
const MIN_TEXT_TYPE = 12
/** No table has more, as the number of pages is limited. */
const MAX_LEVELS = 40

/**
 * The rows of tables, read from the pages of a database without SQLite, whose start takes longer than most queries of a command. It reads
 * what this program writes, and throws for everything else that a SQLite file can contain.
 */
export class TableReader {
  readonly #pages: PageStorage
  /** The bytes of a page that SQLite uses. */
  readonly #usable: number
  readonly #schema = new Map<string, { root: number; sql: string }>()
  readonly #tables = new Map<string, Table>()
  /** The page that was read last: each row asks for its page again, because what its reader did meanwhile may have read others. */
  #last: { page: number; bytes: Buffer } | null = null

  constructor(pages: PageStorage) {
    this.#pages = pages
    const header = Buffer.from(pages.read(1).subarray(0, FILE_HEADER_BYTES))
    if (header.readUInt32BE(ENCODING_AT) !== UTF8) throw new Error('The texts are not in UTF-8')
    this.#usable = pages.pageSize - header[RESERVED_AT]!
    for (const { type, name, rootpage, sql } of this.#rows<{
      type: string
      name: string
      rootpage: number
      sql: string
    }>(SCHEMA, ['type', 'name', 'rootpage', 'sql']))
      if (type === 'table') this.#schema.set(name, { root: rootpage, sql })
  }

  has(table: string): boolean {
    return this.#schema.has(table)
  }

  /** The number of rows. */
  count(table: string): number {
    let count = 0
    for (const page of this.#leaves(this.#table(table).root)) count += page.count
    return count
  }

  /** The rows by their IDs, with these columns only. A column costs as much as the texts before it, if they are long. */
  all<Row>(table: string, columns: Columns<Row>): Generator<Row> {
    return this.#rows(this.#table(table), columns)
  }

  /** The same, with the largest ID first. */
  newest<Row>(table: string, columns: Columns<Row>): Generator<Row> {
    return this.#rows(this.#table(table), columns, { isReversed: true })
  }

  /** The row with that ID; null if there is none. */
  get<Row>(table: string, columns: Columns<Row>, id: number): Row | null {
    const known = this.#table(table)
    let page = this.#page(known.root)
    for (let level = 0; level < MAX_LEVELS; level++) {
      const bytes = this.#read(page.number)
      let i = 0
      while (i < page.count && keyOf(bytes, page, i) < id) i++
      if (!page.isLeaf) page = this.#page(childOf(bytes, page, i))
      else if (i === page.count || keyOf(bytes, page, i) !== id) return null
      else return this.#rowReader<Row>(known, columns)(bytes, cellOf(bytes, page, i))
    }
    throw new Error('The pages of the table form a circle')
  }

  #table(name: string): Table {
    const known = this.#tables.get(name)
    if (known) return known
    const found = this.#schema.get(name)
    if (!found) throw new Error(`There is no table ${name}`)
    const table = { root: found.root, ...parseColumns(found.sql) }
    this.#tables.set(name, table)
    return table
  }

  *#rows<Row>(table: Table, columns: Columns<Row>, { isReversed = false } = {}): Generator<Row> {
    const read = this.#rowReader<Row>(table, columns)
    for (const page of this.#leaves(table.root, isReversed))
      for (let i = 0; i < page.count; i++) {
        const bytes = this.#read(page.number)
        yield read(bytes, cellOf(bytes, page, isReversed ? page.count - 1 - i : i))
      }
  }

  *#leaves(root: number, isReversed = false): Generator<Page> {
    const page = this.#page(root)
    if (page.isLeaf) yield page
    else
      for (let i = 0; i <= page.count; i++)
        yield* this.#leaves(childOf(this.#read(page.number), page, isReversed ? page.count - i : i), isReversed)
  }

  #page(number: number): Page {
    const bytes = this.#read(number)
    const start = number === 1 ? FILE_HEADER_BYTES : 0
    const isLeaf = bytes[start] === LEAF
    if (!isLeaf && bytes[start] !== INTERIOR) throw new Error(`Page ${number} is not a page of a table`)
    return { number, isLeaf, count: readUint16(bytes, start + 3), pointers: start + (isLeaf ? 8 : 12) }
  }

  /** The bytes of a page, until others are read, which may take its memory. */
  #read(page: number): Buffer {
    if (this.#last?.page === page) return this.#last.bytes
    const read = this.#pages.read(page)
    const bytes = Buffer.isBuffer(read) ? read : Buffer.from(read.buffer, read.byteOffset, read.length)
    this.#last = { page, bytes }
    return bytes
  }

  /** Reads these columns of the row at an offset of a leaf. */
  #rowReader<Row>({ columns: known, key }: Table, wanted: Columns<Row>): (leaf: Buffer, at: number) => Row {
    const names = known.map((name) => wanted.find((column) => column === name))
    const missing = wanted.find((column) => !known.includes(column))
    if (missing !== undefined) throw new Error(`There is no column ${missing}`)
    const count = names.findLastIndex((name) => name !== undefined) + 1
    const types = new Array<number>(count)
    return (leaf, at) => {
      const length = readVarint(leaf, at)
      const id = readVarint(leaf, varintEnd)
      const start = varintEnd
      const headerEnd = readVarint(leaf, start) + start
      const local = countLocalBytes(length, this.#usable)
      const last = headerEnd + readTypes(types, leaf, varintEnd, headerEnd)
      if (headerEnd - start > local || last - start > length) throw new Error('The row does not fit into its payload')
      const row: Record<string, Value> = {}
      if (last - start <= local) decodeValues(row, names, types, leaf, headerEnd)
      else {
        const bytes = this.#readChain(leaf, { start, local, length, end: last - start })
        decodeValues(row, names, types, bytes, headerEnd - start)
      }
      const keyName = names[key]
      if (keyName !== undefined) row[keyName] = id
      return row as Row
    }
  }

  /** The first bytes of a row that does not fit on its page: the others are in a chain of pages. */
  #readChain(
    leaf: Buffer,
    { start, local, length, end }: { start: number; local: number; length: number; end: number },
  ): Buffer {
    const bytes = Buffer.allocUnsafe(end)
    leaf.copy(bytes, 0, start, start + local)
    let next = leaf.readUInt32BE(start + local)
    for (let size = local; size < end; ) {
      const page = this.#read(next)
      const part = page.subarray(4, Math.min(this.#usable, 4 + length - size))
      part.copy(bytes, size)
      size += part.length
      next = page.readUInt32BE(0)
    }
    return bytes
  }
}

/** How many bytes of a row are on its page, as the file format of SQLite defines it. */
function countLocalBytes(length: number, usable: number): number {
  const most = usable - 35
  if (length <= most) return length
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const preferred = least + ((length - least) % (usable - 4))
  return preferred <= most ? preferred : least
}

function readUint16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!
}

/** Where entry `i` of a page begins. */
function cellOf(bytes: Buffer, { pointers }: Page, i: number): number {
  return readUint16(bytes, pointers + 2 * i)
}

/** The ID of row `i`, or the largest one below it. */
function keyOf(bytes: Buffer, page: Page, i: number): number {
  const cell = cellOf(bytes, page, i)
  if (page.isLeaf) readVarint(bytes, cell)
  return readVarint(bytes, page.isLeaf ? varintEnd : cell + 4)
}

/** The number of the page below entry `i`, or after the last entry. */
function childOf(bytes: Buffer, page: Page, i: number): number {
  return bytes.readUInt32BE(i < page.count ? cellOf(bytes, page, i) : page.pointers - 4)
}

/** The offset after the number that was read last: a pair for each number would cost more than reading it. */
let varintEnd = 0

/** A number of SQLite's variable length. */
function readVarint(bytes: Uint8Array, at: number): number {
  let value = 0
  for (let i = at; i < at + 8; i++) {
    const byte = bytes[i]!
    value = value * 128 + (byte & 127)
    if (byte < 128) {
      varintEnd = i + 1
      return value
    }
  }
  throw new Error('A number is too large')
}

/** Fills `types` with those of the first values of a row, and returns how many bytes the values take. One of two loops, because V8 optimizes small functions while a short process runs, and large ones after it has ended. */
function readTypes(types: number[], bytes: Uint8Array, at: number, end: number): number {
  let length = 0
  let next = at
  for (let i = 0; i < types.length; i++) {
    if (next >= end) throw new Error('The row has fewer columns than the table')
    const type = readVarint(bytes, next)
    types[i] = type
    length += lengthOf(type)
    next = varintEnd
  }
  return length
}

/** Adds the values that have names to the row. */
function decodeValues(
  row: Record<string, Value>,
  names: readonly (string | undefined)[],
  types: readonly number[],
  bytes: Buffer,
  start: number,
): void {
  let from = start
  for (let i = 0; i < types.length; i++) {
    const to = from + lengthOf(types[i]!)
    const name = names[i]
    if (name !== undefined) row[name] = decodeValue(bytes, types[i]!, from, to)
    from = to
  }
}

/** The length of a value of that type. */
function lengthOf(type: number): number {
  return type >= MIN_TEXT_TYPE ? (type - MIN_TEXT_TYPE) >> 1 : LENGTHS[type]!
}

function decodeValue(bytes: Buffer, type: number, from: number, to: number): Value {
  if (type >= MIN_TEXT_TYPE) return type % 2 === 1 ? decodeText(bytes, from, to) : Buffer.from(bytes.subarray(from, to))
  if (type === 0) return null
  if (type === 7) return bytes.readDoubleBE(from)
  if (type >= 8) return type - 8
  return type === 6 ? Number(bytes.readBigInt64BE(from)) : bytes.readIntBE(from, to - from)
}

const BYTE_ORDER_MARK = '\ufeff'

/** Without a byte order mark at its beginning, as sql.js returns it. */
function decodeText(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from, to)
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

/** The columns of a table, in order, from the statement that created it. */
function parseColumns(sql: string): Pick<Table, 'columns' | 'key'> {
  const [first, last] = [sql.indexOf('('), sql.lastIndexOf(')')]
  const isKnown = sql.slice(0, first).toLowerCase().startsWith('create table') && sql.slice(last + 1).trim() === ''
  const columns: string[] = []
  let key = -1
  for (const part of splitDefinitions(sql.slice(first + 1, last))) {
    const definition = part.trim()
    const quoted = definition.startsWith('"') ? definition.slice(1, definition.indexOf('"', 1)) : null
    // This program quotes all names of columns; constraints begin with a keyword.
    if (quoted === null) continue
    const rest = definition
      .slice(quoted.length + 2)
      .trim()
      .toLowerCase()
    if (rest.startsWith('integer') && rest.includes('primary key')) key = columns.length
    columns.push(quoted)
  }
  if (!isKnown || columns.length === 0) throw new Error('The table has an unknown form')
  return { columns, key }
}

/** Splits at the commas outside of parentheses and quotes. */
function splitDefinitions(text: string): string[] {
  const parts: string[] = []
  let [depth, from, quote] = [0, 0, '']
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (quote !== '') {
      if (char === quote) quote = ''
    } else if (char === '"' || char === "'") quote = char
    else if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(from, i))
      from = i + 1
    }
  }
  return [...parts, text.slice(from)]
}
