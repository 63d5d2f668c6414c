import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from './database'

/**
 * The database, with a refusal of a transaction that is opened inside another one: that one would wait for itself. On Node 20 and 22 each
 * promise of the process pays for it, so it is for databases in memory, as tests use them; a service does without.
 */
export function withoutNesting(db: Database): Database {
  const inside = new AsyncLocalStorage<true>()
  const outside = async <R>(open: () => Promise<R>): Promise<R> => {
    if (inside.getStore()) throw new Error('a transaction was opened inside a transaction')
    return open()
  }
  return {
    read: (work) => outside(() => db.read((tx) => inside.run(true, () => work(tx)))),
    write: (work, options) => outside(() => db.write((tx) => inside.run(true, () => work(tx)), options)),
    version: () => db.version?.() ?? null,
    close: () => db.close(),
  }
}
