import type { Migration } from './services/apply-migrations'
import type { CommitObserver } from './services/commit-observer'
import type { Database, Follower } from './services/database'
import { forbidNestedTransactions } from './services/database'
import { isPostgresAddress } from './services/database-address'

export { type Finding, ok, problem, warning } from '../kernel/finding'
export type { Checkup, CheckupBounds } from '../system/operations/run-doctor'
export { beginToLoadSqlite, limitWasmTiering } from './embedded/engine/load-sqlite'
export { isBeingWritten } from './embedded/engine/write-lock'
export { continuePosition, detectChanges } from './embedded/log/detect-changes'
export { findRightOfOthers } from './services/access-rights'
export type { Migration } from './services/apply-migrations'
export {
  type CommitObserver,
  getLogPosition,
  type LogPosition,
  type ObservedCommit,
} from './services/commit-observer'
export {
  type Database,
  derivedValues,
  deriveOnce,
  type Engine,
  type Follower,
  forUpdate,
  getEngine,
  openLazily,
  pauseIfLong,
  precompileQuery,
  preferReplicas,
  type ReadTx,
  type StorageContext,
  tables,
  type WriteTx,
} from './services/database'
export {
  isPostgresAddress,
  isSameDatabase,
  parsePostgresAddress,
  redactAddress,
} from './services/database-address'
export { watchDiskSpace } from './services/disk-space'
export { followLink, isLink } from './services/file-link'
export { type HeldLock, withFileLock } from './services/file-lock'
export { toFileVersion } from './services/file-version'
export {
  createFileAtomic,
  isWithoutLinks,
  makeFolder,
  syncFolder,
  toFileError,
  writeFileAtomic,
} from './services/files'
export { retryBrieflyWhileHeld, retryWhileHeld } from './services/held-files'
export { type ProtectedFiles, requireUnprotectedFile } from './services/protected-files'
export { READ_AT_ONCE, readPipe } from './services/read-pipe'
export type { ServerState } from './services/server-state'
export type {
  StorageLocations,
  StorageLocationsContext,
} from './services/storage-locations'
export { makeTemporaryFolder } from './services/temporary-folder'
export { openCopyTarget } from './transfer/copy-target'

/**
 * Opens the database at a path, and creates it if there is none; or the one at a `postgres://` address.
 * @param observer is called after each commit to a file.
 * @param cacheBytes the memory for pages of a file.
 * @param follower runs at the end of each write to a server.
 * @param replicas is the address of servers that copy the one at `address`.
 */
export async function openDatabase(
  address: string,
  migrations: readonly Migration[],
  {
    observer = null,
    follower = null,
    replicas = null,
    cacheBytes,
  }: {
    observer?: CommitObserver | null
    follower?: Follower | null
    replicas?: string | null
    cacheBytes?: number
  } = {},
): Promise<Database> {
  if (isPostgresAddress(address)) {
    const { PostgresDatabase } = await import('./postgres/postgres-database')
    return forbidNestedTransactions(await PostgresDatabase.open(address, migrations, { follower, replicas }))
  }
  const { openFile } = await import('./embedded/engine/open-file')
  return forbidNestedTransactions(
    await openFile(address, migrations, { observer, ...(cacheBytes !== undefined && { cacheBytes }) }),
  )
}

/** Throws if the database in a file cannot be read. A server is checked by the first call. */
export async function requireReadableDatabase(address: string): Promise<void> {
  if (isPostgresAddress(address)) return
  const { requireReadableFiles } = await import('./embedded/repair/verify-files')
  await requireReadableFiles(address)
}

/** Whether opening the database in a file would create it. False for a server. */
export async function isDatabaseMissing(address: string): Promise<boolean> {
  return !isPostgresAddress(address) && (await import('./embedded/engine/missing-database')).isDatabaseMissing(address)
}

/** Opens an empty database in memory. */
export async function openMemoryDatabase(migrations: readonly Migration[]): Promise<Database> {
  const { openMemory } = await import('./embedded/engine/open-file')
  return forbidNestedTransactions(await openMemory(migrations))
}
