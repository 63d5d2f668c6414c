import { isPostgresAddress } from './address'
import type { Database, Follower } from './database'
import type { CommitWatch } from './log-position'
import type { Migration } from './migration'
import { withoutNesting } from './without-nesting'

export { type Finding, ok, problem, warning } from '../kernel/finding'
export type { Checkup, CheckupBounds } from '../system/operations/run-doctor'
export { isPostgresAddress, isSameDatabase, parsePostgresAddress, shownAddress } from './address'
export { type ChangedSince, changedSince } from './changed-since'
export { compiledOnce } from './compiled'
export {
  type Database,
  type Engine,
  engineOf,
  type Follower,
  held,
  type ReadTx,
  type StorageContext,
  tables,
  type WriteTx,
} from './database'
export { isBeingWritten } from './embedded/being-written'
export { type HeldLock, withFileLock } from './file-lock'
export { fileError, writeFileAtomic } from './files'
export { openLazily } from './lazy'
export { type CommitWatch, type LogPosition, logPositionOf, type WatchedCommit } from './log-position'
export type { Migration } from './migration'
export { type OwnFiles, refuseOwnFile } from './own-files'
export type { StoragePlaces, StoragePlacesContext } from './places'
export { openTarget } from './transfer/target'

/**
 * Opens the database at a file's path, and makes it where there is none; or the one at a `postgres://` address.
 * @param watch is told of each commit to a file.
 * @param follower ends each write to a server.
 */
export async function openDatabase(
  address: string,
  migrations: readonly Migration[],
  { watch = null, follower = null }: { watch?: CommitWatch | null; follower?: Follower | null } = {},
): Promise<Database> {
  if (isPostgresAddress(address)) {
    const { PostgresDatabase } = await import('./postgres/postgres-database')
    return withoutNesting(await PostgresDatabase.open(address, migrations, { follower }))
  }
  const { openFile } = await import('./embedded/open')
  return withoutNesting(await openFile(address, migrations, { watch }))
}

/** Throws what each command would throw where the database in a file cannot be read. A server is asked by the first call. */
export async function requireReadableDatabase(address: string): Promise<void> {
  if (isPostgresAddress(address)) return
  const [{ loadDatabase }, { realDisk }] = await Promise.all([import('./embedded/load'), import('./embedded/disk')])
  const loaded = await loadDatabase(address, realDisk)
  loaded?.log?.segment.close()
}

/** Whether a database would be made by opening the one at `address`. Of a server only the server could tell. */
export async function isNothingAt(address: string): Promise<boolean> {
  return !isPostgresAddress(address) && (await import('./embedded/load')).isNothingAt(address)
}

/** A database that ends with the process. */
export async function openMemoryDatabase(migrations: readonly Migration[]): Promise<Database> {
  const { openMemory } = await import('./embedded/open')
  return withoutNesting(await openMemory(migrations))
}
