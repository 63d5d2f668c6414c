import type { CommitObserver, LogPosition } from '../services/commit-observer'
import { toFileError } from '../services/files'
import { archiveLog, discardArchive } from './archive-database'
import type { BackingStore } from './backing-store'
import { CompactionScheduler } from './compaction-scheduler'
import type { Disk } from './disk'
import { installSnapshot } from './install-snapshot'
import type { LogReplica } from './log-replica'
import { findFirstSegmentOfNextEra } from './segments'
import { isSameFile, readStamp } from './snapshot'
import type { Commit } from './statements'
import { damagedError, tooManyConflictsError } from './storage-errors'
import { FileWriteLock } from './write-lock'

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
