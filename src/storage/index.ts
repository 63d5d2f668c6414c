import type { Database } from './database'
import type { Migration } from './migration'

export { type Database, type ReadTx, type StorageContext, tables, type WriteTx } from './database'
export { type HeldLock, withFileLock } from './file-lock'
export { fileError, writeFileAtomic } from './files'
export { openLazily } from './lazy'
export type { Migration } from './migration'

/** Opens, and makes where there is none, the database at a file's path. */
export async function openDatabase(path: string, migrations: readonly Migration[]): Promise<Database> {
  const { SqlJsFile } = await import('./embedded/sqljs-file')
  return SqlJsFile.open(path, migrations)
}

/** A database that ends with the process. */
export async function openMemoryDatabase(migrations: readonly Migration[]): Promise<Database> {
  const { SqlJsFile } = await import('./embedded/sqljs-file')
  return SqlJsFile.open(null, migrations)
}
