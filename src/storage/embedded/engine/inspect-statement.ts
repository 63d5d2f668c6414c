/** `read` changes nothing; `rows` changes rows, which the engine counts; `schema` is everything else. */
export type StatementKind = 'read' | 'rows' | 'schema'

const READS = /^\s*(select|values|explain|pragma[^=(]*(\([^)]*\))?\s*;?\s*$)/i
const CHANGES_ROWS = /^\s*(insert|update|delete|replace)\b/i
const WITH = /^\s*with\b/i
/** Not `replace(`, which is a function: then SQLite would report the changes of the previous statement. */
const CONTAINS_CHANGE = /\b(insert|update|delete|replace\b(?!\s*\())\b/i

/** What returns a different value when the transaction runs again. */
const NONDETERMINISTIC =
  /\b(current_timestamp|current_date|current_time)\b|\b(random|randomblob|last_insert_rowid|changes|total_changes)\s*\(|\b(date|time|datetime|julianday|unixepoch)\s*\(\s*\)|\bstrftime\s*\([^,)]*\)/i
/** What affects other transactions of the same batch. */
const CROSSES_TRANSACTION =
  /\bor\s+(rollback|fail)\b|\braise\s*\(\s*(rollback|fail)\b|\bdefer(red|rable|_foreign_keys)\b|^\s*(begin|commit|end|attach|detach|vacuum)\b/i
const QUOTED = /"(?:[^"]|"")*"|'(?:[^']|'')*'/g

/** What is known about a statement from its text. */
export interface StatementFacts {
  kind: StatementKind
  /** The names of all tables that it changes, and of others. */
  names: readonly string[]
}

/**
 * Throws for a statement that could have another effect when its transaction runs again, or that affects other transactions. That is a bug
 * in the code that built it.
 */
export function inspectStatement(sql: string): StatementFacts {
  const kind = READS.test(sql) ? 'read' : changesRows(sql) ? 'rows' : WITH.test(sql) ? 'read' : 'schema'
  if (kind === 'read') return { kind, names: [] }
  requireRepeatable(sql)
  return { kind, names: [...new Set([...sql.matchAll(NAMES)].map((match) => match[1]!.slice(0, MAX_NAME_LENGTH)))] }
}

function changesRows(sql: string): boolean {
  return CHANGES_ROWS.test(sql) || (WITH.test(sql) && CONTAINS_CHANGE.test(sql))
}

function requireRepeatable(sql: string): void {
  const bare = sql.replace(QUOTED, '""')
  const found = NONDETERMINISTIC.exec(bare) ?? CROSSES_TRANSACTION.exec(bare) ?? /'now'/i.exec(sql)
  if (found) throw new Error(`a statement that changes something must not use ${found[0].trim()}: ${sql}`)
}

/** What a statement that changes something may name: tables, and more. */
const NAMES = /\b(?:into|update(?:\s+or\s+\w+)?|from|table|on|index|trigger|view)\s+"?(\w+)/gi
const MAX_NAME_LENGTH = 80
