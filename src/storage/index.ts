import type { Migration } from './services/apply-migrations'
import type { CommitObserver } from './services/commit-observer'
import type { Database, Follower } from './services/database'
import { isPostgresAddress } from './services/database-address'
import { forbidNestedTransactions } from './services/forbid-nested-transactions'

export { type Finding, ok, problem, warning } from '../kernel/finding'
export type { Checkup, CheckupBounds } from '../system/operations/run-doctor'
export { type ChangedSince, changedSince } from './detect-changes'
export { isBeingWritten } from './embedded/being-written'
export type { Migration } from './services/apply-migrations'
export {
  type CommitObserver as CommitWatch,
  getLogPosition as logPositionOf,
  type LogPosition,
  type ObservedCommit as WatchedCommit,
} from './services/commit-observer'
export {
  type Database,
  type Engine,
  type Follower,
  forUpdate as held,
  getEngine as engineOf,
  type ReadTx,
  type StorageContext,
  tables,
  type WriteTx,
} from './services/database'
export {
  isPostgresAddress,
  isSameDatabase,
  parsePostgresAddress,
  redactAddress as shownAddress,
} from './services/database-address'
export { type HeldLock, withFileLock } from './services/file-lock'
export { toFileError as fileError, writeFileAtomic } from './services/files'
export { openLazily } from './services/open-lazily'
export { precompileQuery as compiledOnce } from './services/precompile-query'
export { type ProtectedFiles as OwnFiles, requireUnprotectedFile as refuseOwnFile } from './services/protected-files'
export type {
  StorageLocations as StoragePlaces,
  StorageLocationsContext as StoragePlacesContext,
} from './services/storage-locations'
export { openCopyTarget as openTarget } from './transfer/copy-target'

/**
 * Opens the database at a file's path, and makes it where there is none; or the one at a `postgres://` address.
 * @param watch is told of each commit to a file.
 * @param follower ends each write to a server.
 */
export async function openDatabase(
  address: string,
  migrations: readonly Migration[],
  { watch = null, follower = null }: { watch?: CommitObserver | null; follower?: Follower | null } = {},
): Promise<Database> {
  if (isPostgresAddress(address)) {
    const { PostgresDatabase } = await import('./postgres/postgres-database')
    return forbidNestedTransactions(await PostgresDatabase.open(address, migrations, { follower }))
  }
  const { openFile } = await import('./embedded/open-file')
  return forbidNestedTransactions(await openFile(address, migrations, { observer: watch }))
}

/** Throws what each command would throw where the database in a file cannot be read. A server is asked by the first call. */
export async function requireReadableDatabase(address: string): Promise<void> {
  if (isPostgresAddress(address)) return
  const [{ loadDatabase }, { realDisk }] = await Promise.all([
    import('./embedded/load-database'),
    import('./embedded/disk'),
  ])
  const loaded = await loadDatabase(address, realDisk)
  loaded?.log?.segment.close()
}

/** Whether a database would be made by opening the one at `address`. Of a server only the server could tell. */
export async function isNothingAt(address: string): Promise<boolean> {
  return !isPostgresAddress(address) && (await import('./embedded/load-database')).isDatabaseMissing(address)
}

/** A database that ends with the process. */
export async function openMemoryDatabase(migrations: readonly Migration[]): Promise<Database> {
  const { openMemory } = await import('./embedded/open-file')
  return forbidNestedTransactions(await openMemory(migrations))
}
