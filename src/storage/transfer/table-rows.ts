import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type ReadTx, tables } from '../services/database'

/** What copying needs to know of a table. */
export interface TableShape {
  name: string
  columns: string[]
  /** The columns of the primary key. */
  key: string[]
  /** Columns that refer to rows of the same table. */
  selfReferences: string[]
  /** Whether the table assigns its ids. */
  hasAutoIncrement: boolean
}

/** The tables of the schema; a table comes after those that it refers to. Read from the embedded engine, because the names are the same in all. */
export async function readTableShapes(blank: ReadTx): Promise<TableShape[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select name, sql as definition from sqlite_master
    where type = 'table' and name not like 'sqlite_%' and name <> 'schema_migration' order by rowid`.execute(
    tables(blank),
  )
  const found: (TableShape & { refersTo: string[] })[] = []
  for (const { name, definition } of rows) found.push(await readTableShape(blank, name, definition))
  const ordered: TableShape[] = []
  const isPlaced = (name: string) => ordered.some((shape) => shape.name === name)
  while (found.length > 0) {
    const next = found.findIndex(({ name, refersTo }) => refersTo.every((other) => other === name || isPlaced(other)))
    if (next < 0) throw new Error('tables refer to each other in a circle')
    const [{ refersTo: _, ...shape }] = found.splice(next, 1) as [(typeof found)[number]]
    ordered.push(shape)
  }
  return ordered
}

async function readTableShape(blank: ReadTx, name: string, definition: string) {
  const db = tables(blank)
  const columns = await sql<{ name: string; pk: number }>`select name, pk from pragma_table_info(${name})`.execute(db)
  const references = await sql<{ table: string; column: string }>`
    select "table", "from" as "column" from pragma_foreign_key_list(${name})`.execute(db)
  const key = columns.rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  if (key.length === 0) throw new Error(`the table ${name} has no primary key`)
  return {
    name,
    columns: columns.rows.map((column) => column.name),
    key: key.map((column) => column.name),
    selfReferences: references.rows.filter(({ table }) => table === name).map(({ column }) => column),
    hasAutoIncrement: /\bautoincrement\b/i.test(definition),
    refersTo: references.rows.map(({ table }) => table),
  }
}

export type Row = Record<string, string | number | Uint8Array | null>

/** Engines limit the number of parameters of a statement. */
const MAX_VALUES_PER_PAGE = 10_000
const MAX_ROWS_PER_PAGE = 500

/** All rows by primary key, in pages that fit into one statement. */
export async function* readPages(tx: ReadTx, { name, columns, key }: TableShape): AsyncGenerator<Row[]> {
  const limit = Math.min(MAX_ROWS_PER_PAGE, Math.floor(MAX_VALUES_PER_PAGE / columns.length))
  const keyColumns = sql.join(key.map((column) => sql.ref(column)))
  let last: Row | undefined
  do {
    const after = last && sql`where (${keyColumns}) > (${sql.join(key.map((column) => last![column]))})`
    const { rows } = await sql<Row>`
      select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)} ${after ?? sql``}
      order by ${keyColumns} limit ${sql.lit(limit)}`.execute(tables(tx))
    if (rows.length > 0) yield rows
    last = rows.length < limit ? undefined : rows.at(-1)
  } while (last)
}

export interface Digest {
  rows: number
  /** Independent of the order and the engine; 64 hexadecimal digits. */
  checksum: string
}

/** Sums the SHA-256 of the rows, so that their order does not matter. */
export class RowsDigest {
  readonly #columns: readonly string[]
  #rows = 0
  #sum = 0n

  constructor({ columns }: TableShape) {
    this.#columns = columns
  }

  add(row: Row): void {
    const hash = createHash('sha256').update(JSON.stringify(this.#columns.map((column) => toText(row[column]))))
    this.#rows += 1
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash.digest('hex')}`))
  }

  get result(): Digest {
    return { rows: this.#rows, checksum: this.#sum.toString(16).padStart(64, '0') }
  }
}

/** Engines give bytes as different classes, which JSON writes differently. */
function toText(value: Row[string] | undefined) {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value
}

export async function computeDigest(tx: ReadTx, shape: TableShape): Promise<Digest> {
  const digest = new RowsDigest(shape)
  for await (const page of readPages(tx, shape)) for (const row of page) digest.add(row)
  return digest.result
}
