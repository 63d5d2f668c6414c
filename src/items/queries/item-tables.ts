import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { chunksOf } from '../../kernel/work/chunks'
import { getEngine, pauseIfLong, type ReadTx, tables } from '../../storage'
import type { LongText, Person } from '../../tracker'
import type { ItemTables } from '../migrations'
import type { WorkItemTable } from '../tables/work-item-tables'

/** The row of `mirror` that is reserved for the default tracker. */
export const DEFAULT_TRACKER_ID = 1

/** Database engines limit the number of parameters in one statement. */
export const MAX_IDS_PER_STATEMENT = 500
const MAX_ROWS_PER_STATEMENT = 200

export function itemTables(tx: ReadTx): Kysely<ItemTables> {
  return tables<ItemTables>(tx)
}

export function toPerson(row: Pick<WorkItemTable, 'assigned_name' | 'assigned_account'>): Person | null {
  return row.assigned_name === null ? null : { displayName: row.assigned_name, uniqueName: row.assigned_account }
}

export function toLongText(text: string | null, format: string | null): LongText | null {
  return text === null ? null : { text, format: format === 'markdown' ? 'markdown' : 'html' }
}

/** Whether a column has one of the values. They are one parameter, because a statement can have only some. */
export function isOneOf(tx: ReadTx, column: string, values: readonly (string | number)[]) {
  const ref = sql.ref(column)
  return getEngine(tx) === 'postgres'
    ? sql<boolean>`${ref} = any(${values})`
    : sql<boolean>`${ref} in (select value from json_each(${JSON.stringify(values)}))`
}

/** The IDs in chunks of one statement each. After each chunk of a long read, other calls get their turn. */
export async function* idChunks(tx: ReadTx, ids: readonly number[]): AsyncGenerator<number[], void, undefined> {
  for (const chunk of chunksOf(ids, MAX_IDS_PER_STATEMENT)) {
    yield chunk
    await pauseIfLong(tx)
  }
}

/** Compiles a statement whose parameters are the values of the rows, row by row. All rows have the same keys in the same order. */
export type CompileInsert<Row> = (tx: ReadTx, rows: readonly Row[]) => CompiledQuery

/** Building the statement of a full chunk takes longer than running it, so it is cached, by the adapter of its database. */
const compiledInserts = new WeakMap<object, Map<unknown, CompiledQuery>>()

export async function insertRows<Row extends object>(
  tx: ReadTx,
  compile: CompileInsert<Row>,
  rows: readonly Row[],
): Promise<void> {
  for (const chunk of chunksOf(rows, MAX_ROWS_PER_STATEMENT)) {
    await itemTables(tx).executeQuery(compileOnce(tx, compile, chunk))
  }
}

function compileOnce<Row extends object>(tx: ReadTx, compile: CompileInsert<Row>, rows: readonly Row[]): CompiledQuery {
  if (rows.length < MAX_ROWS_PER_STATEMENT) return compile(tx, rows)
  const { adapter } = itemTables(tx).getExecutor()
  const ofDatabase = compiledInserts.get(adapter) ?? new Map<unknown, CompiledQuery>()
  compiledInserts.set(adapter, ofDatabase)
  const known = ofDatabase.get(compile)
  if (known) return { ...known, parameters: rows.flatMap((row) => Object.values(row)) }
  const compiled = compile(tx, rows)
  ofDatabase.set(compile, { ...compiled, parameters: [] })
  return compiled
}
