import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from './database'

/** Provides an empty database for a read that must not create one. */
interface EmptyDatabaseSource {
  isDatabaseMissing(): Promise<boolean>
  open(): Promise<Database>
}

/** Opens a database with its first transaction. After an error, the next transaction tries again. */
export function openLazily(open: () => Promise<Database>, emptySource: EmptyDatabaseSource | null = null): Database {
  let opened: Promise<Database> | null = null
  let emptyDatabase: Promise<Database> | null = null
  let database: Database | null = null
  const openOnce = () => {
    opened ??= open().then(
      (done) => {
        database = done
        return done
      },
      (error) => {
        opened = null
        throw error
      },
    )
    return opened
  }
  return {
    async read(work, { createsNone = false } = {}) {
      if (createsNone && opened === null && (await emptySource?.isDatabaseMissing())) {
        emptyDatabase ??= emptySource!.open()
        return (await emptyDatabase).read(work)
      }
      return (await openOnce()).read(work)
    },
    write: async (work, options) => (await openOnce()).write(work, options),
    version: () => database?.version?.() ?? null,
    loadedVersion: () => database?.loadedVersion?.() ?? null,
    async close() {
      for (const open of [emptyDatabase, opened]) await (await open?.catch(() => null))?.close()
    },
  }
}

/** A transaction in which the current code runs, and the one around it. */
interface OpenTransaction {
  db: Database
  outer: OpenTransaction | undefined
}

/** One for all databases: on Node 20 and 22 each instance makes every promise of the process slower. */
const openTransactions = new AsyncLocalStorage<OpenTransaction>()

/** Wraps a database so that a transaction inside another one throws: it would wait for itself forever. */
export function forbidNestedTransactions(db: Database): Database {
  const runInside = <R>(work: () => R): R => openTransactions.run({ db, outer: openTransactions.getStore() }, work)
  const runOutside = async <R>(open: () => Promise<R>): Promise<R> => {
    for (let at = openTransactions.getStore(); at; at = at.outer)
      if (at.db === db) throw new Error('a transaction was opened inside a transaction')
    return open()
  }
  return {
    read: (work) => runOutside(() => db.read((tx) => runInside(() => work(tx)))),
    write: (work, options) => runOutside(() => db.write((tx) => runInside(() => work(tx)), options)),
    version: () => db.version?.() ?? null,
    loadedVersion: () => db.loadedVersion?.() ?? null,
    close: () => db.close(),
  }
}
