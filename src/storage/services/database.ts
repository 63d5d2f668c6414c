import type { Kysely } from 'kysely'

declare const readable: unique symbol
declare const writable: unique symbol

/** A transaction that reads. Opaque on purpose: only a slice's `queries.ts` opens it, by `tables()`. */
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
   * True where `work` holds the rows that it decides by (`held`) before it reads on, or is one statement. Where writers are let in
   * side by side it then waits for others at those rows alone; without it, what others have disturbed is run again.
   */
  locksRows?: boolean
}

export interface ReadOptions {
  /** True where a database that is not there yet shall not be made for it: it reads an empty one in memory instead. */
  createsNone?: boolean
}

/**
 * The port to storage. A transaction never waits for anything but the database: nothing remote is asked inside one,
 * and `work` may run again from the start when the engine could not serialize it.
 */
export interface Database {
  /** Runs `work` on one consistent state. */
  read<R>(work: (tx: ReadTx) => Promise<R>, options?: ReadOptions): Promise<R>
  /** Runs `work` as if alone; what it changed is on disk when the promise resolves, or not at all when it rejects. */
  write<R>(work: (tx: WriteTx) => Promise<R>, options?: WriteOptions): Promise<R>
  /**
   * The state that a read would see now: the same object, the same rows. Null while only a transaction can tell, as when another
   * process has written. Costs two looks at files; absent where it would cost more.
   */
  version?(): object | null
  close(): Promise<void>
}

/**
 * Keeps what is made out of the rows of a server, as the last thing that each write does. Triggers see by the setting `studio.follower`,
 * which is `on` in such a write, that they need not note what it changes.
 */
export type Follower = (tx: WriteTx) => Promise<void>

/** What an operation that keeps or reads rows asks for. */
export interface StorageContext {
  db: Database
}

/** Sends one statement, and gives its rows. */
export type Send = (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>

/** What an engine hands out as a transaction. */
class Transaction {
  #tables: Kysely<any> | null = null

  constructor(
    readonly engine: Engine,
    readonly send: Send,
    private readonly build: () => Kysely<any>,
  ) {}

  get tables(): Kysely<any> {
    this.#tables ??= this.build()
    return this.#tables
  }
}

/** Only for an engine. `build` makes what `tables()` will hand out; `send` goes past it. */
export function createTransaction(engine: Engine, send: Send, build: () => Kysely<any>): WriteTx {
  return new Transaction(engine, send, build) as unknown as WriteTx
}

const transaction = (tx: ReadTx) => tx as unknown as Transaction

/** The typed query builder of a transaction, for a slice's own tables. */
export function tables<Tables>(tx: ReadTx): Kysely<Tables> {
  return transaction(tx).tables
}

/** For the few queries that must be written in two ways. */
export function getEngine(tx: ReadTx): Engine {
  return transaction(tx).engine
}

/** For a query that is compiled already. */
export function getSend(tx: ReadTx): Send {
  return transaction(tx).send
}

/**
 * The query, so that nobody else may hold or change the rows it finds until the transaction ends. The embedded engine lets writers in
 * one at a time anyway, and has no row locks.
 */
export function forUpdate<Query extends { forUpdate(): Query }>(tx: WriteTx, query: Query): Query {
  return getEngine(tx) === 'postgres' ? query.forUpdate() : query
}
