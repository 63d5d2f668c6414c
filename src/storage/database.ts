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

/**
 * The port to storage. A transaction never waits for anything but the database: nothing remote is asked inside one,
 * and `work` may run again from the start when the engine could not serialize it.
 */
export interface Database {
  /** Runs `work` on one consistent state. */
  read<R>(work: (tx: ReadTx) => Promise<R>): Promise<R>
  /** Runs `work` alone; what it changed is on disk when the promise resolves, or not at all when it rejects. */
  write<R>(work: (tx: WriteTx) => Promise<R>): Promise<R>
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
export function asTx(kysely: Kysely<any>): WriteTx {
  return kysely as unknown as WriteTx
}
