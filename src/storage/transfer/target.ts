import { isPostgresAddress } from '../address'
import type { Database } from '../database'
import type { Migration } from '../migration'

/** A database that another is copied into. */
export interface Target {
  /** Is written to. */
  db: Database
  /** What `keep` will replace, and must be as empty as `db`; null where nothing is there, or `db` itself is. */
  there: Database | null
  /** Makes what was written to `db` the database at the address, at once or not at all. */
  keep(): Promise<void>
  close(): Promise<void>
}

/** A server keeps a transaction as it ends; a file is put in place when all of it is written. */
export async function openTarget(address: string, migrations: readonly Migration[]): Promise<Target> {
  if (!isPostgresAddress(address)) {
    const { openNewFile } = await import('../embedded/new-file')
    return openNewFile(address, migrations)
  }
  const { PostgresDatabase } = await import('../postgres/postgres-database')
  const db = await PostgresDatabase.open(address, migrations)
  return { db, there: null, keep: async () => {}, close: () => db.close() }
}
