import type { Migration } from '../services/apply-migrations'
import type { Database } from '../services/database'
import { isPostgresAddress } from '../services/database-address'

/** A database that another is copied into. */
export interface CopyTarget {
  /** Is written to. */
  db: Database
  /** What `keep` will replace, and must be as empty as `db`; null where nothing is there, or `db` itself is. */
  existing: Database | null
  /** Makes what was written to `db` the database at the address, at once or not at all. */
  commit(): Promise<void>
  close(): Promise<void>
}

/** A server keeps a transaction as it ends; a file is put in place when all of it is written. */
export async function openCopyTarget(address: string, migrations: readonly Migration[]): Promise<CopyTarget> {
  if (!isPostgresAddress(address)) {
    const { openNewFile } = await import('../embedded/open-new-file')
    return openNewFile(address, migrations)
  }
  const { PostgresDatabase } = await import('../postgres/postgres-database')
  const db = await PostgresDatabase.open(address, migrations)
  return { db, existing: null, commit: async () => {}, close: () => db.close() }
}
