import type { Migration } from '../services/apply-migrations'
import type { CopyTarget } from '../services/database'
import { isPostgresAddress } from '../services/database-address'

/** A server stores a transaction when it ends; a file is replaced when all rows are written. */
export async function openCopyTarget(address: string, migrations: readonly Migration[]): Promise<CopyTarget> {
  if (!isPostgresAddress(address)) {
    const { openNewFile } = await import('../embedded/engine/open-new-file')
    return openNewFile(address, migrations)
  }
  const { PostgresDatabase } = await import('../postgres/postgres-database')
  const db = await PostgresDatabase.open(address, migrations)
  return { db, existing: null, commit: async () => {}, close: () => db.close() }
}
