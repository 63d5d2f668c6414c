import { isPostgresAddress } from './address'
import type { Database } from './database'
import type { Migration } from './migration'

export { isPostgresAddress, parsePostgresAddress, shownAddress } from './address'
export { type Database, type Engine, held, type ReadTx, type StorageContext, tables, type WriteTx } from './database'
export { type HeldLock, withFileLock } from './file-lock'
export { fileError, writeFileAtomic } from './files'
export { openLazily } from './lazy'
export type { Migration } from './migration'
export type { StoragePlaces, StoragePlacesContext } from './places'

/** Opens the database at a file's path, and makes it where there is none; or the one at a `postgres://` address. */
export async function openDatabase(address: string, migrations: readonly Migration[]): Promise<Database> {
  if (isPostgresAddress(address)) {
    const { PostgresDatabase } = await import('./postgres/postgres-database')
    return PostgresDatabase.open(address, migrations)
  }
  const { openFile } = await import('./embedded/open')
  return openFile(address, migrations)
}

/** A database that ends with the process. */
export async function openMemoryDatabase(migrations: readonly Migration[]): Promise<Database> {
  const { openMemory } = await import('./embedded/open')
  return openMemory(migrations)
}
