import { AsyncLocalStorage } from 'node:async_hooks'
import type { Compilable, Kysely } from 'kysely'
import { type Budget, isTurnOver } from '../../kernel/work/budget'
import { memoizeAsync } from '../../kernel/work/memoize-async'
import type { ServerState } from './server-state'

declare const readable: unique symbol
declare const writable: unique symbol

/** A transaction that reads. It is opaque: only the `queries` of a module access it, with `tables()`. */
export interface ReadTx {
  readonly [readable]: true
}

/** A transaction that also writes. */
export interface WriteTx extends ReadTx {
  readonly [writable]: true
}

export type Engine = 'sqlite' | 'postgres'

export interface WriteOptions {
  /**
   * True if `work` locks the rows that it depends on (`forUpdate`) before it reads others, or is a single statement. On a server it then
   * waits only for these rows; otherwise the transaction is serializable and runs again after a conflict.
   */
  locksRows?: boolean
  /** True if `work` changes the schema, which may take longer than the limits of a server for other transactions. */
  changesSchema?: boolean
  /** True for each of many writes of one call, which calls `settle` after the last: what is derived from rows may be updated then. */
  continues?: boolean
}

export interface ReadOptions {
  /** True to read an empty database in memory, instead of creating one, if there is none yet. */
  createsNone?: boolean
  /** True if a server that copies the database may run it. It sees what was committed before. */
  mayUseReplica?: boolean
}

/**
 * The port to storage. A transaction waits for nothing but the database: it calls no remote service. `work` runs again from the start if the
 * engine could not serialize it.
 */
export interface Database {
  /** Runs `work` on one consistent state. */
  read<R>(work: (tx: ReadTx) => Promise<R>, options?: ReadOptions): Promise<R>
  /** Runs `work` serializably. Its changes are on disk when the promise resolves, and rolled back when it rejects. */
  write<R>(work: (tx: WriteTx) => Promise<R>, options?: WriteOptions): Promise<R>
  /** Ends a series of writes that were said to continue. Call it, too, if one of them fails. */
  settle?(): Promise<void>
  /**
   * Identifies the state that a read would see now: the same object means the same rows. Null if only a transaction can determine it, as
   * when another process has written. Costs two file status calls; absent where it would cost more.
   */
  version?(): object | null
  /** The state that the last transaction saw, without a look at the files. */
  loadedVersion?(): object | null
  /** Throws `read_only` if no transaction could change anything now. Changes nothing. */
  requireWritable?(): Promise<void>
  /** After a write that failed because the disk was full, runs `change`, a small one, and throws `disk_full` if it fails as well. */
  requireSpace?(change: (tx: WriteTx) => Promise<void>): Promise<void>
  /** The state of the server; null or absent for a file. */
  inspectServer?(): Promise<ServerState | null>
  /** The connections of this process to a server; null or absent for a file, and before the first transaction. */
  inspectPool?(): ServerState['pool'] | null
  close(): Promise<void>
}

/**
 * Updates data derived from the rows of a server, as the last step of each write. The setting `studio.follower` is `on` in such a write,
 * so triggers do not need to record its changes.
 */
export type Follower = (tx: WriteTx) => Promise<void>

/** The context of an operation that reads or writes rows. */
export interface StorageContext {
  db: Database
}

/** How an engine runs statements. `name` is that of a statement whose text never changes. */
export interface Statements {
  /** Runs one statement and returns its rows. */
  send(sql: string, parameters: readonly unknown[], name: string): Promise<unknown[]>
  /**
   * Runs one statement before the commit. If it fails, the commit does. May return before it has run. `keepsDerived`: the caller updates what is
   * derived from the rows that it changes.
   */
  sendLater(
    sql: string,
    parameters: readonly unknown[],
    name: string,
    options?: { keepsDerived?: boolean },
  ): Promise<void>
  /** As `derivedValues`; absent if rows can change unnoticed. */
  derived?(table: string): Map<string, unknown>
  /** Lets other calls run; other transactions too if this one only reads. No statement may be running. */
  pause(): Promise<void>
  /** Creates the query builder that `tables()` returns. */
  build(): Kysely<any>
}

class Transaction {
  #tables: Kysely<any> | null = null

  constructor(
    readonly engine: Engine,
    readonly statements: Statements,
  ) {}

  get tables(): Kysely<any> {
    this.#tables ??= this.statements.build()
    return this.#tables
  }
}

/** For engines only. */
export function createTransaction(engine: Engine, statements: Statements): WriteTx {
  return new Transaction(engine, statements) as unknown as WriteTx
}

const transaction = (tx: ReadTx) => tx as unknown as Transaction

/** The typed query builder of a transaction, for a slice's own tables. */
export function tables<Tables>(tx: ReadTx): Kysely<Tables> {
  return transaction(tx).tables
}

/** For the few queries that differ between engines. */
export function getEngine(tx: ReadTx): Engine {
  return transaction(tx).engine
}

/**
 * `checkpoint` between the statements of a long read: lets other calls run if this turn of the event loop is over, and their transactions,
 * too. If one of those changes rows in a file, the read runs again from the start.
 */
export async function pauseIfLong(tx: ReadTx, call?: { signal: AbortSignal; budget?: Budget }): Promise<void> {
  const isOver = isTurnOver()
  call?.budget?.count()
  if (!isOver) return
  await transaction(tx).statements.pause()
  call?.budget?.start()
  call?.signal.throwIfAborted()
}

/**
 * Locks the rows that the query finds until the transaction ends. The embedded engine has no row locks and needs none: it runs one writer
 * at a time.
 */
export function forUpdate<Query extends { forUpdate(): Query }>(tx: WriteTx, query: Query): Query {
  return getEngine(tx) === 'postgres' ? query.forUpdate() : query
}

/**
 * Values derived from the rows of a table, by a key of the caller's choice. They stay from one transaction to the next, and are gone as soon as
 * any row of the table may differ: after a statement that changes the table, in this process or another one, and after a change that was
 * rolled back. Null on a server, whose rows change unnoticed.
 */
export function derivedValues<Value>(tx: ReadTx, table: string): Map<string, Value> | null {
  return (transaction(tx).statements.derived?.(table) as Map<string, Value> | undefined) ?? null
}

/** The derived value with the key, which `read` makes if it is not known. Its callers share it, so they must not change it. */
export async function deriveOnce<Value>(
  tx: ReadTx,
  { table, key }: { table: string; key: string },
  read: () => Promise<Value>,
): Promise<Value> {
  const values = derivedValues<Value>(tx, table)
  const known = values?.get(key)
  if (known !== undefined) return known
  const made = await read()
  if (derivedValues(tx, table) === values) values?.set(key, made) // otherwise the rows have changed meanwhile
  return made
}

/** Represents a value that is passed when the query runs. */
class Placeholder {
  constructor(readonly name: string) {}
}

interface CompiledStatement {
  name: string
  sql: string
  parameters: readonly unknown[]
}

/** A compiled query. */
export interface PrecompiledQuery<Values, Row> {
  (tx: ReadTx, values: Values): Promise<Row[]>
  /** Runs it before the commit, and does not wait for its result on a server. Its error ends the transaction. */
  later(tx: WriteTx, values: Values, options?: { keepsDerived?: boolean }): Promise<void>
}

let compiledCount = 0

/**
 * Compiles a query once per engine, because building a query costs more than running it. `build` must not make decisions based on the
 * values, which are placeholders.
 */
export function precompileQuery<Values extends object, Row>(
  build: (tx: ReadTx, values: Values) => Compilable<Row>,
): PrecompiledQuery<Values, Row> {
  const compiled = new Map<Engine, CompiledStatement>()
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values
  const compile = (tx: ReadTx): CompiledStatement => {
    const known = compiled.get(getEngine(tx))
    if (known) return known
    const { sql, parameters } = build(tx, placeholders).compile()
    const statement = { name: `studio_${++compiledCount}`, sql, parameters }
    compiled.set(getEngine(tx), statement)
    return statement
  }
  const fill = ({ parameters }: CompiledStatement, values: Values) =>
    parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    )
  const run = (tx: ReadTx, values: Values) => {
    const statement = compile(tx)
    const { sql, name } = statement
    return transaction(tx).statements.send(sql, fill(statement, values), name) as Promise<Row[]>
  }
  const later = (tx: WriteTx, values: Values, options?: { keepsDerived?: boolean }) => {
    const statement = compile(tx)
    const { sql, name } = statement
    return transaction(tx).statements.sendLater(sql, fill(statement, values), name, options)
  }
  return Object.assign(run, { later })
}

/** Provides an empty database for a read that must not create one. */
interface EmptyDatabaseSource {
  isDatabaseMissing(): Promise<boolean>
  open(): Promise<Database>
}

/** Opens a database with its first transaction. After an error, the next transaction tries again. */
export function openLazily(open: () => Promise<Database>, emptySource: EmptyDatabaseSource | null = null): Database {
  let database: Database | null = null
  const openOnce = memoizeAsync(async () => {
    database = await open()
    return database
  })
  const openEmpty = memoizeAsync(async () => emptySource!.open())
  return {
    async read(work, options = {}) {
      if (options.createsNone && openOnce.current === null && (await emptySource?.isDatabaseMissing()))
        return (await openEmpty()).read(work)
      return (await openOnce()).read(work, options)
    },
    write: async (work, options) => (await openOnce()).write(work, options),
    settle: async () => database?.settle?.(),
    version: () => database?.version?.() ?? null,
    loadedVersion: () => database?.loadedVersion?.() ?? null,
    requireWritable: async () => (await openOnce()).requireWritable?.(),
    inspectServer: async () => (await (await openOnce()).inspectServer?.()) ?? null,
    inspectPool: () => database?.inspectPool?.() ?? null,
    async close() {
      for (const { current } of [openEmpty, openOnce]) await (await current?.catch(() => null))?.close()
    },
  }
}

/** The same database, whose reads a replica may run. */
export function preferReplicas(db: Database): Database {
  return { ...db, read: (work, options) => db.read(work, { ...options, mayUseReplica: true }) }
}

/** A transaction in which the current code runs, and the one around it. */
interface OpenTransaction {
  db: Database
  outer: OpenTransaction | undefined
}

/** One for all databases, disabled while none is open: on Node 20 and 22 an instance makes every promise of the process slower. */
const openTransactions = new AsyncLocalStorage<OpenTransaction>()
let openCount = 0

async function runInTransaction<R>(transaction: OpenTransaction, work: () => Promise<R>): Promise<R> {
  openCount++
  try {
    return await openTransactions.run(transaction, work)
  } finally {
    if (--openCount === 0) openTransactions.disable()
  }
}

/** Wraps a database so that a transaction inside another one throws: it would wait for itself forever. */
export function forbidNestedTransactions(db: Database): Database {
  const runInside = <R>(work: () => Promise<R>) => runInTransaction({ db, outer: openTransactions.getStore() }, work)
  const runOutside = async <R>(open: () => Promise<R>): Promise<R> => {
    for (let at = openTransactions.getStore(); at; at = at.outer)
      if (at.db === db) throw new Error('a transaction was opened inside a transaction')
    return open()
  }
  return {
    read: (work, options) => runOutside(() => db.read((tx) => runInside(() => work(tx)), options)),
    write: (work, options) => runOutside(() => db.write((tx) => runInside(() => work(tx)), options)),
    settle: async () => db.settle?.(),
    version: () => db.version?.() ?? null,
    loadedVersion: () => db.loadedVersion?.() ?? null,
    requireWritable: async () => db.requireWritable?.(),
    inspectServer: async () => (await db.inspectServer?.()) ?? null,
    inspectPool: () => db.inspectPool?.() ?? null,
    close: () => db.close(),
  }
}

/** A database that another is copied into. */
export interface CopyTarget {
  db: Database
  /** The database that `commit` replaces, which must be empty; null if there is none, or it is `db` itself. */
  existing: Database | null
  /** Makes the content of `db` the database at the address, atomically. */
  commit(): Promise<void>
  close(): Promise<void>
}
