import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type ReadTx, tables } from '../services/database'
import type { TableShape } from './table-shapes'

export type Row = Record<string, string | number | null>

/** An engine takes only so many parameters in one statement. */
const MAX_VALUES_PER_PAGE = 10_000
const MAX_ROWS_PER_PAGE = 500

/** All rows by primary key, so many at a time that they fit into one statement. */
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
  /** The same for the same rows in whatever order and engine; 64 hexadecimal digits. */
  checksum: string
}

/** The sum of the SHA-256 of each row, so that the order in which an engine gives them does not matter. */
export class RowsDigest {
  readonly #columns: readonly string[]
  #rows = 0
  #sum = 0n

  constructor({ columns }: TableShape) {
    this.#columns = columns
  }

  add(row: Row): void {
    const hash = createHash('sha256').update(JSON.stringify(this.#columns.map((column) => row[column])))
    this.#rows += 1
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash.digest('hex')}`))
  }

  get result(): Digest {
    return { rows: this.#rows, checksum: this.#sum.toString(16).padStart(64, '0') }
  }
}

export async function computeDigest(tx: ReadTx, shape: TableShape): Promise<Digest> {
  const digest = new RowsDigest(shape)
  for await (const page of readPages(tx, shape)) for (const row of page) digest.add(row)
  return digest.result
}
