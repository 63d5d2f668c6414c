import type { CompiledQuery } from 'kysely'
import { chunksOf } from '../../kernel/chunks'
import type { ReadTx } from '../../storage'
import { itemTables } from './item-tables'

const MAX_ROWS_PER_STATEMENT = 200

/** Inserts many rows by few statements. */
export interface BulkInsert<Row> {
  /** In the order in which the statement names them. */
  columns: readonly (keyof Row)[]
  /** The statement for some rows, all of whose values are parameters, row by row. */
  statement(tx: ReadTx, rows: readonly Row[]): CompiledQuery
}

/** Building the statement of a full page takes longer than running it, so it is kept, by the adapter of its database. */
const compiledInserts = new WeakMap<object, Map<unknown, CompiledQuery>>()

export async function insertRows<Row>(tx: ReadTx, many: BulkInsert<Row>, rows: readonly Row[]): Promise<void> {
  for (const part of chunksOf(rows, MAX_ROWS_PER_STATEMENT)) {
    await itemTables(tx).executeQuery(statementFor(tx, many, part))
  }
}

function statementFor<Row>(tx: ReadTx, many: BulkInsert<Row>, rows: readonly Row[]): CompiledQuery {
  if (rows.length < MAX_ROWS_PER_STATEMENT) return many.statement(tx, rows)
  const { adapter } = itemTables(tx).getExecutor()
  const ofDatabase = compiledInserts.get(adapter) ?? new Map<unknown, CompiledQuery>()
  compiledInserts.set(adapter, ofDatabase)
  const known = ofDatabase.get(many)
  if (known) return { ...known, parameters: rows.flatMap((row) => many.columns.map((name) => row[name])) }
  const compiled = many.statement(tx, rows)
  ofDatabase.set(many, { ...compiled, parameters: [] })
  return compiled
}
