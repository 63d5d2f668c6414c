import type { CommitObserver, LogPosition } from '../services/commit-observer'
import { toFileError } from '../services/files'
import { isSameFile, readStamp } from './base-file'
import { CompactionScheduler } from './compaction-scheduler'
import { Connection } from './connection'
import type { CommitOutcome, DatabaseFiles } from './database-files'
import type { Disk } from './disk'
import { installBase } from './install-base'
import { archiveLog, discardArchive } from './replace-database'
import { findFirstSegmentOfNextEra } from './segments'
import { closeStatementLog } from './statement-log'
import { damagedError, tooManyConflictsError } from './storage-errors'
import { removeMarker } from './unconfirmed-write'
import { FileWriteLock, type WriteLock } from './write-lock'

/** Opens the pages of a database, and stores its commits. */
export interface BackingStore {
  readonly connection: Connection
  readonly writeLock: WriteLock
  /** Whether a transaction can run on the connection as it is. */
  isUpToDate(): boolean
  /** Applies the commits of other processes. */
  catchUp(purpose: { toWrite: boolean }): Promise<void>
  /**
   * Stores what the connection has just committed, with statements that contain these names. If another process committed first, or it
   * throws, the connection is as it was before the commit after the next `catchUp`.
   */
  commit(names: ReadonlySet<string>): Promise<CommitOutcome>
  /** A different object for each state of the rows; null if the connection is out of date. */
  version(): object | null
  /** The version of the connection, which commits of other processes may have made out of date. */
  loadedVersion(): object | null
  /** The position in the log of the state of the connection; null if there is no log. */
  position(): LogPosition | null
  /** Called at the end of each transaction. */
  rest(): void
  /** Closes the connection after an error. The next access opens the files again. */
  unload(): void
  close(): Promise<void>
}

/** A store that ends with the process. */
export async function createMemoryStore(existing?: Connection): Promise<BackingStore> {
  const connection = existing ?? (await Connection.open(null))
  let version = {}
  return {
    connection,
    writeLock: { acquire: async () => {}, isContended: false, isHeld: true, release() {}, releaseNow() {} },
    isUpToDate: () => true,
    catchUp: async () => {},
    async commit() {
      version = {}
      return 'committed'
    },
    version: () => version,
    loadedVersion: () => version,
    position: () => null,
    rest() {},
    unload() {},
    close: async () => connection.close(),
  }
}

/** How often a database is adopted if other processes write to it or replace it meanwhile. */
const MAX_ATTEMPTS = 3

/** A store in files: a base, and a log of the commits since. */
export class FileBackingStore implements BackingStore {
  readonly writeLock: FileWriteLock
  readonly #files: DatabaseFiles
  readonly #disk: Disk
  readonly #compaction: CompactionScheduler
  readonly #releasesBase: boolean

  constructor(
    files: DatabaseFiles,
    options: { disk: Disk; compactsInProcess: boolean; releasesBase: boolean; observer: CommitObserver | null },
  ) {
    this.#releasesBase = options.releasesBase
    this.#files = files
    this.#disk = options.disk
    this.writeLock = new FileWriteLock(`${files.path}.lock`)
    this.#compaction = new CompactionScheduler(files, { ...options, writeLock: this.writeLock })
  }

  get connection() {
    return this.#files.connection
  }

  isUpToDate(): boolean {
    return this.#files.isUpToDate()
  }

  async catchUp({ toWrite }: { toWrite: boolean }): Promise<void> {
    await this.#files.catchUp({ toWrite })
    if (!toWrite) return
    for (let attempt = 0; attempt < MAX_ATTEMPTS && this.#files.cursor === null; attempt++) {
      await adoptDatabase(this.#files, this.#disk).catch((error) => {
        this.#files.unload()
        throw toFileError(error, this.#files.path)
      })
    }
    if (this.#files.cursor === null) throw tooManyConflictsError() // another process replaced the file, or is replacing it
  }

  async commit(names: ReadonlySet<string>): Promise<CommitOutcome> {
    const outcome = await this.#files.commit(names)
    if (outcome === 'committed') this.#compaction.noteCommit()
    return outcome
  }

  /** The log creates a new cursor for each commit. */
  version(): object | null {
    return this.#files.isUpToDate() ? this.#files.cursor : null
  }

  loadedVersion(): object | null {
    return this.#files.cursor
  }

  position(): LogPosition | null {
    return this.#files.isLoaded ? this.#files.position : null
  }

  rest(): void {
    if (this.#releasesBase) this.#files.releaseBase()
  }

  unload(): void {
    this.#files.unload()
  }

  async close(): Promise<void> {
    await this.#compaction.finish()
    this.writeLock.releaseNow()
    this.#files.unload()
  }
}

/**
 * Gives a database without a log of pages its own base and log: one that another tool created, or version 1.0. The first write does so.
 * The old files remain until the new base is complete.
 */
export async function adoptDatabase(files: DatabaseFiles, disk: Disk): Promise<void> {
  const { path, connection, stamp, withoutLog } = files
  const { statements } = withoutLog!
  // The check takes time: another process may have adopted the database and written to it meanwhile.
  const mayReplace = () => isSameFile(readStamp(path), stamp)
  if (statements === null) {
    const [integrityError] = connection.findIntegrityErrors()
    if (integrityError !== undefined) throw damagedError(path, null, integrityError)
  }
  if (mayReplace() && (statements === null || (await closeStatementLog(path, statements, disk)))) {
    const archive = statements === null ? await archiveLog(path, disk) : null
    const segment = findFirstSegmentOfNextEra(path, statements?.end.segment ?? null)
    const source = files.toBaseSource()
    if (await installBase(path, { source, segment, mayReplace, yieldsToOthers: false }, disk)) removeMarker(path, disk)
    else discardArchive(archive)
  }
  await files.load()
}
