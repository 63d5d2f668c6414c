import initSqlJs, { type Statement as Prepared, type Database as SqlJs } from 'sql.js'
import { type Commit, classifyStatement } from './statements'
import { damagedError } from './storage-errors'

export interface QueryResult<Row = Record<string, unknown>> {
  rows: Row[]
  /** Rows that were inserted, updated or deleted. */
  changes: number
}

/** Enough for all texts that an operation repeats. */
const MAX_PREPARED = 100

/** The database in memory: sql.js, with its statements kept prepared. */
export class Connection {
  readonly #db: SqlJs
  readonly #name: string
  readonly #prepared = new Map<string, Prepared>()

  private constructor(db: SqlJs, name: string) {
    this.#db = db
    this.#name = name
  }

  /** Takes possession of `bytes`; null opens an empty database. `name` is what errors call it by. */
  static async open(bytes: Uint8Array | null, name = 'memory'): Promise<Connection> {
    const { Database } = await initSqlJs()
    const connection = new Connection(new Database(bytes), name)
    // What is durable is durable by the log: the engine itself need not write a journal into its memory, nor wait for it.
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
      const iterateRows: Row[] = []
      let columns: string[] | null = null
      while (statement.step()) {
        columns ??= statement.getColumnNames()
        iterateRows.push(toRow(columns, statement.get()) as Row)
      }
      statement.reset()
      return { rows: iterateRows, changes: kind === 'rows' ? this.#db.getRowsModified() : 0 }
    } catch (error) {
      this.#prepared.delete(sql)
      statement?.free()
      throw this.#told(error)
    }
  }

  /** One statement that begins, ends or takes back a transaction or a savepoint. */
  runControl(sql: string): void {
    const statement = this.#prepare(sql)
    try {
      statement.step()
    } catch (error) {
      throw this.#told(error)
    } finally {
      statement.reset()
    }
  }

  /** Runs a commit of the log again. Throws when it does not do what it did. */
  replayCommit({ statements, changes }: Commit): void {
    let changed = 0
    for (const { sql, parameters } of statements) changed += this.run(sql, parameters).changes
    if (changed !== changes) throw new Error(`it changed ${changed} rows where it had changed ${changes}`)
  }

  /** Calls back for each row that is inserted, updated or deleted; null ends it. */
  observeRows(changed: ((table: string, key: number) => void) | null): void {
    this.#db.updateHook(changed && ((_, __, table, key) => changed(table, Number(key))))
  }

  /** Any statements, with nothing kept of them. */
  runScript(sql: string): void {
    try {
      this.#db.run(sql)
    } catch (error) {
      throw this.#told(error)
    }
  }

  /** The rows one by one, so that those before a damaged one can be had. */
  *rows(sql: string): Generator<Record<string, unknown>> {
    let statement: Prepared | null = null
    try {
      statement = this.#db.prepare(sql)
      while (statement.step()) yield toRow(statement.getColumnNames(), statement.get())
    } catch (error) {
      throw this.#told(error)
    } finally {
      statement?.free()
    }
  }

  /** What SQLite finds wrong with the file; empty for a sound one. */
  findIntegrityErrors(): string[] {
    const found = [...this.rows('pragma integrity_check')].map((row) => String(row['integrity_check']))
    return found.length === 1 && found[0] === 'ok' ? [] : found
  }

  /** How many schema steps the database has had; 0 for one that is not of studio. */
  countSchemaSteps(): number {
    // A view of that name would be run.
    const isTable = "select 1 from sqlite_master where type = 'table' and name = 'schema_migration'"
    if (this.run(isTable).rows.length === 0) return 0
    return this.run<{ steps: number }>('select count(*) as steps from schema_migration').rows[0]!.steps
  }

  /** The whole of it as the bytes of a SQLite file. */
  export(): Uint8Array {
    return this.#db.export()
  }

  close(): void {
    this.#prepared.clear()
    this.#db.close()
  }

  #told(error: unknown): unknown {
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
