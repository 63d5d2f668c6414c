import type { CommitObserver, LogPosition } from '../services/commit-observer'
import { toFileError } from '../services/files'
import { CompactionScheduler } from './compaction-scheduler'
import type { Commit } from './connection'
import { Connection } from './connection'
import type { Disk } from './disk'
import { installSnapshot } from './install-snapshot'
import type { LogReplica } from './log-replica'
import { archiveLog, discardArchive } from './replace-database'
import { findFirstSegmentOfNextEra } from './segments'
import { isSameFile, readStamp } from './snapshot'
import { damagedError, tooManyConflictsError } from './storage-errors'
import { FileWriteLock, type WriteLock } from './write-lock'

/** Loads the state that a database holds in memory, and stores its commits. */
export interface BackingStore {
  readonly connection: Connection
  readonly writeLock: WriteLock
  /** Whether `commit` needs the statements; otherwise only whether there were any. */
  readonly recordsStatements: boolean
  /** Whether a transaction can run on the memory as it is. */
  isUpToDate(): boolean
  /** Applies the commits of other processes to the memory. */
  catchUp(purpose: { toWrite: boolean }): Promise<void>
  /** Stores a commit. If it returns false or throws, the commit must be rolled back in memory. */
  commit(commit: Commit): Promise<boolean>
  /** A different object for each state of the rows; null if the memory is out of date. */
  version(): object | null
  /** The version of the memory, which commits of other processes may have made out of date. */
  loadedVersion(): object | null
  /** The position in the log of the state in memory; null if there is no log. */
  position(): LogPosition | null
  /** Drops the memory after an error. The next access loads the files again. */
  unload(): void
  close(): Promise<void>
}

/** A store that ends with the process. */
export async function createMemoryStore(existing?: Connection): Promise<BackingStore> {
  const connection = existing ?? (await Connection.open(null))
  let version = {}
  return {
    connection,
    recordsStatements: false,
    writeLock: { acquire: async () => {}, isContended: false, isHeld: true, release() {}, releaseNow() {} },
    isUpToDate: () => true,
    catchUp: async () => {},
    async commit() {
      version = {}
      return true
    },
    version: () => version,
    loadedVersion: () => version,
    position: () => null,
    unload() {},
    close: async () => connection.close(),
  }
}

/** A store in files: a snapshot, and a log of the commits since. */
export class FileBackingStore implements BackingStore {
  readonly recordsStatements = true
  readonly writeLock: FileWriteLock
  readonly #replica: LogReplica
  readonly #disk: Disk
  readonly #compaction: CompactionScheduler

  constructor(
    replica: LogReplica,
    options: { disk: Disk; compactsInProcess: boolean; observer: CommitObserver | null },
  ) {
    this.#replica = replica
    this.#disk = options.disk
    this.writeLock = new FileWriteLock(`${replica.path}.lock`)
    this.#compaction = new CompactionScheduler(replica, { ...options, writeLock: this.writeLock })
  }

  get connection() {
    return this.#replica.connection
  }

  isUpToDate(): boolean {
    return this.#replica.isUpToDate()
  }

  async catchUp({ toWrite }: { toWrite: boolean }): Promise<void> {
    await this.#replica.catchUp({ toWrite })
    if (!toWrite || this.#replica.cursor !== null) return
    await adoptForeignDatabase(this.#replica, this.#disk).catch((error) => {
      throw toFileError(error, this.#replica.path)
    })
    if (this.#replica.cursor === null) throw tooManyConflictsError() // another process replaced the file, or is replacing it
  }

  async commit(commit: Commit): Promise<boolean> {
    const isCommitted = await this.#replica.commit(commit)
    if (isCommitted) this.#compaction.noteCommit()
    return isCommitted
  }

  /** The log creates a new cursor for each commit. */
  version(): object | null {
    return this.#replica.isUpToDate() ? this.#replica.cursor : null
  }

  loadedVersion(): object | null {
    return this.#replica.cursor
  }

  position(): LogPosition | null {
    return this.#replica.isLoaded ? this.#replica.position : null
  }

  unload(): void {
    this.#replica.unload()
  }

  async close(): Promise<void> {
    await this.#compaction.finish()
    this.writeLock.releaseNow()
    this.#replica.unload()
  }
}

/** Replaces a database that another tool created by a snapshot of it with studio's marks. The first write does so. */
export async function adoptForeignDatabase(replica: LogReplica, disk: Disk): Promise<void> {
  const { path, connection, stamp } = replica
  const [integrityError] = connection.findIntegrityErrors()
  if (integrityError !== undefined) throw damagedError(path, null, integrityError)
  // The check takes time: another process may have adopted the database and written to it meanwhile.
  const mayReplace = () => isSameFile(readStamp(path), stamp)
  if (mayReplace()) {
    const archive = await archiveLog(path, disk)
    const segment = findFirstSegmentOfNextEra(path, null)
    const bytes = connection.export()
    if (!(await installSnapshot(path, { bytes, segment, mayReplace, yieldsToOthers: false }, disk)))
      discardArchive(archive)
  }
  await replica.load()
}
