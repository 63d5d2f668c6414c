import initSqlJs, { type Statement as Prepared, type Database as SqlJs } from 'sql.js'
import { type Commit, classifyStatement } from './statements'
import { damagedError } from './storage-errors'

export interface QueryResult<Row = Record<string, unknown>> {
  rows: Row[]
  /** Rows that were inserted, updated or deleted. */
  changes: number
}

/** More than the statements that any operation repeats. */
const MAX_PREPARED = 100

/** A sql.js database in memory, with a cache of prepared statements. */
export class Connection {
  readonly #db: SqlJs
  readonly #name: string
  readonly #prepared = new Map<string, Prepared>()

  private constructor(db: SqlJs, name: string) {
    this.#db = db
    this.#name = name
  }

  /** Takes ownership of `bytes`; null opens an empty database. Errors use `name`. */
  static async open(bytes: Uint8Array | null, name = 'memory'): Promise<Connection> {
    const { Database } = await initSqlJs()
    const connection = new Connection(new Database(bytes), name)
    // The log makes commits durable, so the engine needs neither a journal file nor syncs.
    connection.runScript(
      `pragma locking_mode = exclusive; pragma journal_mode = memory; pragma synchronous = off;
       pragma temp_store = memory; pragma foreign_keys = on`,
    )
    return connection
  }

  run<Row>(sql: string, parameters: readonly unknown[] = []): QueryResult<Row> {
    const kind = classifyStatement(sql)
    let statement: Prepared | null = null
    try {
      statement = this.#prepare(sql)
      statement.bind(parameters as never)
      const rows: Row[] = []
      let columns: string[] | null = null
      while (statement.step()) {
        columns ??= statement.getColumnNames()
        rows.push(toRow(columns, statement.get()) as Row)
      }
      statement.reset()
      return { rows, changes: kind === 'rows' ? this.#db.getRowsModified() : 0 }
    } catch (error) {
      this.#prepared.delete(sql)
      statement?.free()
      throw this.#translateError(error)
    }
  }

  /** Runs a statement that begins, commits or rolls back a transaction or a savepoint. */
  runControl(sql: string): void {
    const statement = this.#prepare(sql)
    try {
      statement.step()
    } catch (error) {
      throw this.#translateError(error)
    } finally {
      statement.reset()
    }
  }

  /** Runs a commit of the log again. Throws if it changes another number of rows than before. */
  replayCommit({ statements, changes }: Commit): void {
    let changed = 0
    for (const { sql, parameters } of statements) changed += this.run(sql, parameters).changes
    if (changed !== changes) throw new Error(`it changed ${changed} rows instead of ${changes}`)
  }

  /** Calls back for each row that is inserted, updated or deleted; null stops it. */
  observeRows(changed: ((table: string, key: number) => void) | null): void {
    this.#db.updateHook(changed && ((_, __, table, key) => changed(table, Number(key))))
  }

  /** Runs statements without preparing them for reuse. */
  runScript(sql: string): void {
    try {
      this.#db.run(sql)
    } catch (error) {
      throw this.#translateError(error)
    }
  }

  /** Yields the rows one by one, so that those before a damaged row can be read. */
  *rows(sql: string): Generator<Record<string, unknown>> {
    let statement: Prepared | null = null
    try {
      statement = this.#db.prepare(sql)
      while (statement.step()) yield toRow(statement.getColumnNames(), statement.get())
    } catch (error) {
      throw this.#translateError(error)
    } finally {
      statement?.free()
    }
  }

  /** The errors that SQLite finds in the file. */
  findIntegrityErrors(): string[] {
    const found = [...this.rows('pragma integrity_check')].map((row) => String(row['integrity_check']))
    return found.length === 1 && found[0] === 'ok' ? [] : found
  }

  /** The number of applied schema steps; 0 if studio did not create the database. */
  countSchemaSteps(): number {
    // A view of that name must not be queried.
    const isTable = "select 1 from sqlite_master where type = 'table' and name = 'schema_migration'"
    if (this.run(isTable).rows.length === 0) return 0
    return this.run<{ steps: number }>('select count(*) as steps from schema_migration').rows[0]!.steps
  }

  /** The bytes of a SQLite file with all data. */
  export(): Uint8Array {
    return this.#db.export()
  }

  close(): void {
    this.#prepared.clear()
    this.#db.close()
  }

  #translateError(error: unknown): unknown {
    const isCorrupt = error instanceof Error && /malformed|not a database/i.test(error.message)
    return isCorrupt ? damagedError(this.#name, null, 'it cannot be read as a database', error) : error
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    if (this.#prepared.size >= MAX_PREPARED) {
      for (const statement of this.#prepared.values()) statement.free()
      this.#prepared.clear()
    }
    const statement = this.#db.prepare(sql)
    this.#prepared.set(sql, statement)
    return statement
  }
}

function toRow(columns: string[], values: unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let i = 0; i < columns.length; i++) row[columns[i]!] = values[i]
  return row
}
