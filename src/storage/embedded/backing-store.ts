import type { CommitObserver, LogPosition } from '../services/commit-observer'
import { toFileError } from '../services/files'
import { CompactionScheduler } from './compaction-scheduler'
import { Connection } from './connection'
import type { Disk } from './disk'
import { installSnapshot } from './install-snapshot'
import type { LogReplica } from './log-replica'
import { archiveLog, discardArchive } from './replace-database'
import { findFirstSegmentOfNextEra } from './segments'
import { isSameFile, readStamp } from './snapshot'
import type { Commit } from './statements'
import { damagedError, tooManyConflictsError } from './storage-errors'
import { FileWriteLock } from './write-lock'

/** Where the state that is held in memory comes from, and what makes it last. */
export interface BackingStore {
  readonly connection: Connection
  readonly writeLock: WriteLock
  /** Whether a commit is kept as its statements; else it counts only that there was one. */
  readonly recordsStatements: boolean
  /** Whether the memory is fit for a transaction as it is. */
  isUpToDate(): boolean
  /** Brings the memory to the state that counts now. */
  catchUp(purpose: { toWrite: boolean }): Promise<void>
  /** Makes a commit last. False, and an error, mean that it must be taken back in memory. */
  commit(commit: Commit): Promise<boolean>
  /** Another object for each state of the rows; null where the memory is not fit as it is. */
  version(): object | null
  /** The state that the memory has; null where it has no log. */
  position(): LogPosition | null
  /** Drops the memory, which has become of no use. */
  unload(): void
  close(): Promise<void>
}

/** The right to write, which processes have one after the other. */
export interface WriteLock {
  acquire(): Promise<void>
  readonly isContended: boolean
  /** False where another process has overtaken this one. */
  readonly isHeld: boolean
  release(): void
  /** Lets go of it for good. */
  releaseNow(): void
}

/** Of a database that ends with the process: of one in `connection`, or of an empty one. */
export async function createMemoryStore(given?: Connection): Promise<BackingStore> {
  const connection = given ?? (await Connection.open(null))
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
    position: () => null,
    unload() {},
    close: async () => connection.close(),
  }
}

/** Of a database in files: a snapshot, and a log of what was committed since. */
export class FileBackingStore implements BackingStore {
  readonly recordsStatements = true
  readonly writeLock: FileWriteLock
  readonly #replica: LogReplica
  readonly #disk: Disk
  readonly #folding: CompactionScheduler

  constructor(
    replica: LogReplica,
    options: { disk: Disk; compactsInProcess: boolean; observer: CommitObserver | null },
  ) {
    this.#replica = replica
    this.#disk = options.disk
    this.writeLock = new FileWriteLock(`${replica.path}.lock`)
    this.#folding = new CompactionScheduler(replica, { ...options, writeLock: this.writeLock })
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
    if (this.#replica.cursor === null) throw tooManyConflictsError() // another process is about to replace it, or has done so again
  }

  async commit(commit: Commit): Promise<boolean> {
    const counts = await this.#replica.commit(commit)
    if (counts) this.#folding.noteCommit()
    return counts
  }

  /** The log makes a new place of each commit, its own and others'. */
  version(): object | null {
    return this.#replica.isUpToDate() ? this.#replica.cursor : null
  }

  position(): LogPosition | null {
    return this.#replica.isLoaded ? this.#replica.position : null
  }

  unload(): void {
    this.#replica.unload()
  }

  async close(): Promise<void> {
    await this.#folding.finish()
    this.writeLock.releaseNow()
    this.#replica.unload()
  }
}

/** Makes a database of another origin ours, once it is to be written to: a snapshot of it with our marks takes its place. */
export async function adoptForeignDatabase(replica: LogReplica, disk: Disk): Promise<void> {
  const { path, connection, stamp } = replica
  const flaws = connection.findIntegrityErrors()
  if (flaws.length > 0) throw damagedError(path, null, flaws[0]!)
  // While it was looked at, which takes its time, another process may have adopted it, and written.
  const mayReplace = () => isSameFile(readStamp(path), stamp)
  if (mayReplace()) {
    const aside = await archiveLog(path, disk)
    const segment = findFirstSegmentOfNextEra(path, null)
    const bytes = connection.export()
    if (!(await installSnapshot(path, { bytes, segment, mayReplace, yieldsToOthers: false }, disk)))
      discardArchive(aside)
  }
  await replica.load()
}
