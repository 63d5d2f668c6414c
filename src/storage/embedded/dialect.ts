import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Database as SqlJs } from 'sql.js'

/** Kysely over the sql.js database that `current` gives at the time of each query. Transactions are the caller's. */
export function kyselyOver(current: () => SqlJs): Kysely<any> {
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqlJsDriver(current),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  return new Kysely({ dialect })
}

class SqlJsDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(current: () => SqlJs) {
    this.#connection = {
      executeQuery: async <R>(query: CompiledQuery) => runQuery<R>(current(), query),
      // biome-ignore lint/correctness/useYield: rows are in memory already; there is nothing to stream
      streamQuery: async function* () {
        throw new Error('streaming is not offered by the embedded engine')
      },
    }
  }

  async init() {}
  async destroy() {}
  async releaseConnection() {}
  async acquireConnection() {
    return this.#connection
  }
  async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('savepoint inner_transaction'))
  }
  async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('release inner_transaction'))
  }
  async rollbackTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('rollback to inner_transaction'))
  }
}

function runQuery<R>(db: SqlJs, query: CompiledQuery): QueryResult<R> {
  const statement = db.prepare(query.sql)
  try {
    statement.bind(query.parameters as never)
    const rows: R[] = []
    let columns: string[] | null = null
    while (statement.step()) {
      columns ??= statement.getColumnNames()
      rows.push(rowOf(columns, statement.get()) as R)
    }
    return { rows, numAffectedRows: BigInt(db.getRowsModified()) }
  } finally {
    statement.free()
  }
}

function rowOf(columns: string[], values: unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let i = 0; i < columns.length; i++) row[columns[i]!] = values[i]
  return row
}
