import type { Statement as Prepared, Database as SqlJs } from 'sql.js'
import { type BaseSource, toBaseSource, withChanges } from '../base/base-source'
import { damagedError } from '../storage-errors'
import { PagedFile, type PageStorage, WholeFile } from './database-pages'
import { inspectStatement, type StatementFacts } from './inspect-statement'
import { openWithSqlite } from './load-sqlite'
import type { ScratchPages } from './scratch-pages'

export interface QueryResult<Row = Record<string, unknown>> {
  rows: Row[]
  /** Rows that were inserted, updated or deleted. */
  changes: number
}

const DEFAULT_CACHE_BYTES = 2 * 1024 * 1024
/** More than the statements that any operation repeats. */
const MAX_PREPARED = 100
const MAX_INSPECTED = 1_000

/** A sql.js database, with a cache of prepared statements. */
export class Connection {
  #db: SqlJs
  readonly #name: string
  readonly #prepared = new Map<string, Prepared>()
  readonly #inspected = new Map<string, StatementFacts>()
  /** Null if the whole database is in memory. */
  readonly #file: PagedFile | null
  /** Where sql.js cannot read pages: what it has loaded instead. */
  #whole: { file: WholeFile; reopen(): SqlJs; cacheBytes: number } | null = null
  #isInTransaction = false
  #observer: ((table: string, key: number) => void) | null = null
  #isObserved = false

  private constructor(db: SqlJs, name: string, file: PagedFile | null) {
    this.#db = db
    this.#name = name
    this.#file = file
  }

  /** Opens a database in memory. Takes ownership of `bytes`; null opens an empty database. Errors use `name`. */
  static async open(bytes: Uint8Array | null, name = 'memory'): Promise<Connection> {
    return openWithSqlite(({ Database }) =>
      new Connection(new Database(bytes), name, null).#configure(DEFAULT_CACHE_BYTES),
    )
  }

  /**
   * Opens a database of which SQLite reads pages as it needs them. With a scratch file, it writes them there, also those of a transaction
   * that has not ended: the database is then given up after an error.
   */
  static async openPages(
    pages: PageStorage,
    {
      name,
      cacheBytes = DEFAULT_CACHE_BYTES,
      scratch = null,
      isDamaged = false,
    }: { name: string; cacheBytes?: number; scratch?: ScratchPages | null | undefined; isDamaged?: boolean },
  ): Promise<Connection> {
    return openWithSqlite(({ Database }) => {
      const file = new PagedFile(pages, scratch)
      const connection = new Connection(new Database(file as never), name, file)
      if (isDamaged && !connection.acceptAnySchema()) return connection
      connection.#configure(cacheBytes)
      if (connection.#readsPages()) {
        if (scratch !== null) connection.runScript('pragma cache_spill = on')
        return connection
      }
      connection.close()
      const whole = new WholeFile(pages)
      const reopen = () => new Database(whole.readAll())
      const loaded = new Connection(reopen(), name, null).#configure(cacheBytes)
      loaded.#whole = { file: whole, reopen, cacheBytes }
      return loaded
    })
  }

  /** Whether SQLite reads pages as it needs them, or had to load the whole database. */
  get isPaged(): boolean {
    return this.#file !== null
  }

  /** The pages that commits have changed since they were last taken; null for a database in memory. */
  get changedPages(): Map<number, Uint8Array> | null {
    return this.#file?.changed ?? this.#whole?.file.findChanges(this.#db.export()) ?? null
  }

  /** Makes SQLite forget what it has read, because pages have changed. Only between transactions. */
  refresh(): void {
    if (this.#whole !== null) {
      this.#reopen(this.#whole)
      return
    }
    this.#file!.failure = null
    this.#db.run('pragma locking_mode = normal')
    this.#db.run('select 1 from sqlite_master limit 1')
    this.#db.run('pragma locking_mode = exclusive')
    this.#file!.failure = null
  }

  #reopen({ reopen, cacheBytes }: { reopen(): SqlJs; cacheBytes: number }): void {
    this.close()
    this.#db = reopen()
    this.#isObserved = false
    this.#configure(cacheBytes)
  }

  /** Makes SQLite read what it can of a schema that it does not understand, where it refuses the first statement only. False if it refuses all. */
  acceptAnySchema(): boolean {
    this.runScript('pragma writable_schema = on')
    const isRead = () => {
      try {
        this.runScript('select 1 from sqlite_master')
        return true
      } catch {
        return false
      }
    }
    return isRead() || isRead()
  }

  #readsPages(): boolean {
    try {
      this.#db.run('select count(*) from sqlite_master')
      return this.#file!.reads > 0
    } catch {
      return this.#file!.failure !== null // which the next statement throws
    }
  }

  #configure(cacheBytes: number): this {
    // The log makes commits durable, so the engine needs neither a journal file nor syncs. Pages are written by commits alone.
    this.runScript(
      `pragma locking_mode = exclusive; pragma journal_mode = memory; pragma synchronous = off; pragma cache_spill = off;
       pragma cache_size = -${Math.ceil(cacheBytes / 1024)}; pragma temp_store = memory; pragma foreign_keys = on`,
    )
    return this
  }

  inspect(sql: string): StatementFacts {
    const known = this.#inspected.get(sql)
    if (known !== undefined) return known
    if (this.#inspected.size >= MAX_INSPECTED) this.#inspected.clear()
    const facts = inspectStatement(sql)
    this.#inspected.set(sql, facts)
    return facts
  }

  run<Row>(sql: string, parameters: readonly unknown[] = []): QueryResult<Row> {
    const { kind } = this.inspect(sql)
    let statement: Prepared | null = null
    try {
      statement = this.#prepare(sql)
      statement.bind(parameters as never)
      const rows: Row[] = []
      let columns: string[] | null = null
      while (this.#step(statement)) {
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

  /** Whether `runControl` has begun a transaction that has not ended. */
  get isInTransaction(): boolean {
    return this.#isInTransaction
  }

  /** Runs a statement that begins, commits or rolls back a transaction or a savepoint. */
  runControl(sql: string): void {
    const statement = this.#prepare(sql)
    try {
      this.#step(statement)
      if (sql === 'begin') this.#isInTransaction = true
      else if (sql === 'commit' || sql === 'rollback') this.#isInTransaction = false
    } catch (error) {
      throw this.#translateError(error)
    } finally {
      statement.reset()
    }
  }

  /** Calls back for each row that is inserted, updated or deleted; null stops it. */
  observeRows(changed: ((table: string, key: number) => void) | null): void {
    this.#observer = changed
    if (changed === null || this.#isObserved) return
    this.#isObserved = true // each call of the function below compiles a WebAssembly module
    this.#db.updateHook((_, __, table, key) => this.#observer?.(table, Number(key)))
  }

  /** Runs statements without preparing them for reuse. */
  runScript(sql: string): void {
    try {
      this.#db.run(sql)
      this.#requireReadPages()
    } catch (error) {
      throw this.#translateError(error)
    }
  }

  /** Yields the rows one by one, so that those before a damaged row can be read. */
  *rows(sql: string): Generator<Record<string, unknown>> {
    let statement: Prepared | null = null
    try {
      statement = this.#db.prepare(sql)
      while (this.#step(statement)) yield toRow(statement.getColumnNames(), statement.get())
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

  /** The database as a source of pages. `source` is what the connection was opened on. */
  toBaseSource(source: BaseSource): BaseSource {
    if (this.#file === null) return toBaseSource(this.export())
    return withChanges(source, this.#file.scratch ?? this.#file.changed)
  }

  /** The bytes of a SQLite file with all data. */
  export(): Uint8Array {
    return this.#db.export()
  }

  close(): void {
    this.#prepared.clear()
    this.#db.close()
  }

  #step(statement: Prepared): boolean {
    this.#requireReadPages()
    const hasRow = statement.step()
    this.#requireReadPages()
    return hasRow
  }

  #requireReadPages(): void {
    if (this.#file !== null && this.#file.failure !== null) throw this.#file.failure
  }

  #translateError(error: unknown): unknown {
    if (this.#file !== null && this.#file.failure !== null) return this.#file.failure
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
