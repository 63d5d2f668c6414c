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
