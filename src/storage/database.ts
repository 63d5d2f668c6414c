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
  holdsRows?: boolean
}

/**
 * The port to storage. A transaction never waits for anything but the database: nothing remote is asked inside one,
 * and `work` may run again from the start when the engine could not serialize it.
 */
export interface Database {
  /** Runs `work` on one consistent state. */
  read<R>(work: (tx: ReadTx) => Promise<R>): Promise<R>
  /** Runs `work` as if alone; what it changed is on disk when the promise resolves, or not at all when it rejects. */
  write<R>(work: (tx: WriteTx) => Promise<R>, options?: WriteOptions): Promise<R>
  close(): Promise<void>
}

/** What an operation that keeps or reads rows asks for. */
export interface StorageContext {
  db: Database
}

/** The typed query builder of a transaction, for a slice's own tables. */
export function tables<Tables>(tx: ReadTx): Kysely<Tables> {
  return tx as unknown as Kysely<Tables>
}

/** Only for an engine: what `tables()` will hand out again. */
export function asTx(kysely: Kysely<any>, engine: Engine = 'sqlite'): WriteTx {
  engines.set(kysely, engine)
  return kysely as unknown as WriteTx
}

const engines = new WeakMap<object, Engine>()

/** For the few queries that must be written in two ways. */
export function engineOf(tx: ReadTx): Engine {
  return engines.get(tx) ?? 'sqlite'
}

/**
 * The query, so that nobody else may hold or change the rows it finds until the transaction ends. The embedded engine lets writers in
 * one at a time anyway, and has no row locks.
 */
export function held<Query extends { forUpdate(): Query }>(tx: WriteTx, query: Query): Query {
  return engineOf(tx) === 'postgres' ? query.forUpdate() : query
}
