import initSqlJs, { type Statement as Prepared, type Database as SqlJs } from 'sql.js'
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

/** A statement of a transaction, as the log stores it. */
export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

export interface Commit {
  statements: Statement[]
  /** The number of rows that its statements changed. A replay must change as many. */
  changes: number
}

/** `read` changes nothing; `rows` changes rows, which the engine counts; `schema` is everything else. */
export type StatementKind = 'read' | 'rows' | 'schema'

const READS = /^\s*(select|values|explain|pragma[^=(]*(\([^)]*\))?\s*;?\s*$)/i
const CHANGES_ROWS = /^\s*(insert|update|delete|replace)\b/i
const WITH = /^\s*with\b/i
/** Not `replace(`, which is a function: then SQLite would report the changes of the previous statement. */
const CONTAINS_CHANGE = /\b(insert|update|delete|replace\b(?!\s*\())\b/i

/** What returns a different value when the log is replayed. */
const NONDETERMINISTIC =
  /\b(current_timestamp|current_date|current_time)\b|\b(random|randomblob|last_insert_rowid|changes|total_changes)\s*\(|\b(date|time|datetime|julianday|unixepoch)\s*\(\s*\)|\bstrftime\s*\([^,)]*\)/i
/** What affects other transactions of the same batch. */
const CROSSES_TRANSACTION =
  /\bor\s+(rollback|fail)\b|\braise\s*\(\s*(rollback|fail)\b|\bdefer(red|rable|_foreign_keys)\b|^\s*(begin|commit|end|attach|detach|vacuum)\b/i
const QUOTED = /"(?:[^"]|"")*"|'(?:[^']|'')*'/g

const MAX_KINDS = 1_000
const kinds = new Map<string, StatementKind>()

/** Throws for a statement whose replay could have another effect. That is a bug in the code that built it. */
export function classifyStatement(sql: string): StatementKind {
  const known = kinds.get(sql)
  if (known !== undefined) return known
  const kind = READS.test(sql) ? 'read' : changesRows(sql) ? 'rows' : WITH.test(sql) ? 'read' : 'schema'
  if (kind !== 'read') requireRepeatable(sql)
  if (kinds.size >= MAX_KINDS) kinds.clear()
  kinds.set(sql, kind)
  return kind
}

function changesRows(sql: string): boolean {
  return CHANGES_ROWS.test(sql) || (WITH.test(sql) && CONTAINS_CHANGE.test(sql))
}

function requireRepeatable(sql: string): void {
  const bare = sql.replace(QUOTED, '""')
  const found = NONDETERMINISTIC.exec(bare) ?? CROSSES_TRANSACTION.exec(bare) ?? /'now'/i.exec(sql)
  if (found) throw new Error(`a statement that changes something must not use ${found[0].trim()}: ${sql}`)
}

interface LoggedCommit {
  /** Each distinct text once. */
  sql: string[]
  /** The index of the text, and its parameters. */
  run: [number, unknown[]][]
  changes: number
}

export function encodeCommit({ statements, changes }: Commit): string {
  const numbers = new Map<string, number>()
  const run = statements.map(({ sql, parameters }): LoggedCommit['run'][number] => {
    const number = numbers.get(sql) ?? numbers.size
    numbers.set(sql, number)
    return [number, parameters.map(encodeValue)]
  })
  return JSON.stringify({ sql: [...numbers.keys()], run, changes } satisfies LoggedCommit)
}

export function decodeCommit(payload: Buffer): Commit {
  const { sql, run, changes } = JSON.parse(payload.toString()) as LoggedCommit
  const statements = run.map(([number, values]) => ({ sql: sql[number]!, parameters: values.map(decodeValue) }))
  return { statements, changes }
}

/** Bytes, and numbers that JSON cannot represent. */
type Encoded = { number: string } | { base64: string }

function encodeValue(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value) // as the engine binds it
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) } satisfies Encoded
  if (typeof value === 'object' && value !== null) {
    return { base64: Buffer.from(value as Uint8Array).toString('base64') } satisfies Encoded
  }
  return value
}

function decodeValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const encoded = value as Encoded
  return 'number' in encoded ? Number(encoded.number) : Buffer.from(encoded.base64, 'base64')
}
