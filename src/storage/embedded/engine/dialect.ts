import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { QueryResult } from './connection'

/** Runs one statement in the open transaction. */
export type RunStatement = <Row>(sql: string, parameters: readonly unknown[]) => QueryResult<Row>

/** Kysely over the embedded engine. The caller opens transactions; a nested one is a savepoint. */
export function createKysely(run: RunStatement): Kysely<any> {
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new EmbeddedDriver(run),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  return new Kysely({ dialect })
}

class EmbeddedDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(run: RunStatement) {
    this.#connection = {
      executeQuery: async <Row>(query: CompiledQuery) => {
        const { rows, changes } = run<Row>(query.sql, query.parameters)
        return { rows, numAffectedRows: BigInt(changes) }
      },
      // biome-ignore lint/correctness/useYield: the rows are in memory already, so there is nothing to stream
      streamQuery: async function* () {
        throw new Error('the embedded engine does not support streaming')
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
