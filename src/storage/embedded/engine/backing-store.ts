import type { CommitObserver, LogPosition } from '../../services/commit-observer'
import { toFileError } from '../../services/files'
import { readBaseMarks } from '../base/base-file'
import type { Disk } from '../disk'
import { tooManyConflictsError } from '../storage-errors'
import { Connection } from './connection'
import type { CommitOutcome, DatabaseFiles } from './database-files'
import { adoptDatabase } from './replace-database'
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
   * throws, the connection is as it was before the commit after the next `catchUp`. `continues`: more commits follow, until `settle`.
   */
  commit(names: ReadonlySet<string>, continues: boolean): Promise<CommitOutcome>
  settle(): void
  /** A different object for each state of the rows; null if the connection is out of date. */
  version(): object | null
  /** The version of the connection, which commits of other processes may have made out of date. */
  loadedVersion(): object | null
  /** The position in the log of the state of the connection; null if there is no log. */
  position(): LogPosition | null
  /** Throws `read_only` if nothing can be stored now. */
  requireWritable(): Promise<void>
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
    settle() {},
    version: () => version,
    loadedVersion: () => version,
    position: () => null,
    async requireWritable() {},
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

  async commit(names: ReadonlySet<string>, continues: boolean): Promise<CommitOutcome> {
    const outcome = await this.#files.commit(names)
    if (outcome === 'committed') this.#compaction.noteCommit(continues)
    return outcome
  }

  settle(): void {
    this.#compaction.startIfDue()
  }

  /** The log creates a new cursor for each commit. */
  version(): object | null {
    return this.#files.hasAllCommits() ? this.#files.cursor : null
  }

  loadedVersion(): object | null {
    return this.#files.cursor
  }

  position(): LogPosition | null {
    return this.#files.isLoaded ? this.#files.position : null
  }

  async requireWritable(): Promise<void> {
    const { requireWritableFiles } = await import('./require-writable-files')
    requireWritableFiles(this.#files.path)
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

/** A process that lives this long after a commit compacts in the background; a shorter one compacts when it ends. */
const DEFAULT_DELAY_MS = 1_000
/** The delay after a failed compaction, for example because the disk is full. */
const RETRY_DELAY_MS = 60_000

interface CompactionOptions {
  disk: Disk
  writeLock: WriteLock
  compactsInProcess: boolean
  observer: CommitObserver | null
}

/**
 * Decides when the log is compacted into a new base: in a process that has written, once the closed segments are large enough. Nothing
 * waits for it, and a failed compaction is left to the next one.
 */
export class CompactionScheduler {
  readonly #files: DatabaseFiles
  readonly #options: CompactionOptions
  #hasWritten = false
  #timer: NodeJS.Timeout | null = null
  #running: Promise<void> | null = null
  #waitMs = DEFAULT_DELAY_MS

  constructor(files: DatabaseFiles, options: CompactionOptions) {
    this.#files = files
    this.#options = options
  }

  /** Within a series of commits, a database grows quickly and would be written again and again. */
  noteCommit(continues: boolean): void {
    this.#hasWritten = true
    if (!continues || this.#files.sealedBytes >= MAX_SERIES_BYTES) this.startIfDue()
  }

  startIfDue(): void {
    if (!this.#hasWritten || this.#options.compactsInProcess || this.#timer || this.#running) return
    if (!this.#files.isCompactionDue) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#running = this.#compactInBackground()
    }, this.#waitMs).unref()
  }

  /** Waits for the running compaction, or compacts on this thread. */
  async finish(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    await this.#running
    if (!this.#hasWritten || !this.#files.isLoaded || !this.#files.isCompactionDue) return
    await this.#compactNow().catch(() => {})
  }

  async #compactInBackground(): Promise<void> {
    try {
      const { compactInThread } = await import('../base/compact-files')
      // Positions from the current one on remain: only the segments before it are compacted.
      const before = (this.#files.isLoaded ? this.#files.position?.segment : null) ?? Number.POSITIVE_INFINITY
      await this.#relocate(pinPosition(this.#files), () => compactInThread(this.#files.path, before))
      this.#waitMs = DEFAULT_DELAY_MS
    } catch {
      this.#waitMs = RETRY_DELAY_MS
    } finally {
      this.#running = null
    }
  }

  /** Other processes can write as soon as the last segment is closed. */
  async #compactNow(): Promise<void> {
    const { writeLock, disk } = this.#options
    const files = this.#files
    const position = () => (files.isLoaded ? files.position : null)
    await writeLock.acquire()
    try {
      await files.catchUp({ toWrite: true })
      if (!files.isCompactionDue) return
      await this.#relocate(position, async () => {
        const isSealed = await files.seal().finally(() => writeLock.release())
        if (!isSealed) return
        // No transaction follows, and Windows does not replace a file that is open.
        files.releaseBase()
        await (await import('../base/compact-files')).compactFiles(files.path, disk)
      })
    } finally {
      writeLock.release()
    }
  }

  #relocate(position: () => LogPosition | null, compact: () => Promise<void>): Promise<void> {
    const { observer } = this.#options
    return observer ? observer.relocating(position, compact) : compact()
  }
}

/** A series of commits is compacted when its log has so many bytes, although more commits follow. */
const MAX_SERIES_BYTES = 64 * 1024 * 1024

/** Pins the current position, because other processes continue to write. */
function pinPosition(files: DatabaseFiles): () => LogPosition | null {
  const then = files.isLoaded ? files.position : null
  return () => {
    const marks = then && readBaseMarks(files.path)
    return marks ? { ...then, snapshot: marks.checksum } : null
  }
}
