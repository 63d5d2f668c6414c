import { StudioError } from '../../kernel'
import { databaseTooNewError } from '../services/apply-migrations'
import type { LogPosition } from '../services/commit-observer'
import { toFileError } from '../services/files'
import { type Commit, Connection, encodeCommit } from './connection'
import type { Disk } from './disk'
import { loadDatabase, replayRecords } from './load-database'
import { HEAD_BYTES } from './log-record'
import { LogTail } from './log-tail'
import type { LogCursor } from './scan-segment'
import { createSegment, isLastOfEra, isSameEra } from './segments'
import { type FileStamp, isSameFile, readMarks, readNamedSegment, readStamp } from './snapshot'
import { damagedError, missingFileError } from './storage-errors'
import { confirmMarkedWrite } from './unconfirmed-write'

export interface LogReplicaOptions {
  disk: Disk
  /** The number of schema steps of this version. */
  knownSteps: number
  /** A segment is sealed when it reaches this size, or an eighth of the snapshot's size if that is more. */
  minSegmentBytes: number
}

/** The write amplification of compaction: bytes of a snapshot per byte of log. */
const SNAPSHOT_BYTES_PER_LOG_BYTE = 8

/** The database in this process's memory, with the position up to which it has applied the log. */
export class LogReplica {
  readonly path: string
  readonly #options: LogReplicaOptions
  #connection: Connection | null = null
  #stamp: FileStamp | null = null
  /** The segment in which the log of the snapshot begins. */
  #firstSegment = 0
  /** Null if another tool created the snapshot: it has no log. */
  #log: LogTail | null = null
  #steps = 0

  constructor(path: string, options: LogReplicaOptions) {
    this.path = path
    this.#options = options
  }

  get connection(): Connection {
    if (!this.#connection) throw new StudioError('unavailable', 'The database is closed.')
    return this.#connection
  }

  get isLoaded(): boolean {
    return this.#connection !== null
  }

  /** The number of applied schema steps. */
  get steps(): number {
    return this.#steps
  }

  /** The position of the next commit; null if another tool created the snapshot. */
  get cursor(): LogCursor | null {
    return this.#log?.cursor ?? null
  }

  /** The position for derived data, which stores it. */
  get position(): LogPosition | null {
    const marks = this.#log && readMarks(this.path)
    return marks ? { ...this.#log!.cursor, last: this.#log!.last, snapshot: marks.checksum } : null
  }

  /** Whether there are sealed segments that a new snapshot would replace. */
  get isCompactionDue(): boolean {
    return this.#log !== null && this.#log.cursor.segment > this.#firstSegment
  }

  /** The stamp of the snapshot when it was last checked. */
  get stamp(): FileStamp | null {
    return this.#stamp
  }

  /** Reads all files again. False if there is no database. */
  async load(): Promise<boolean> {
    this.unload()
    const loaded = await loadDatabase(this.path, this.#options.disk)
    if (loaded === null) return false
    const { snapshot, log } = loaded
    if (log) this.#log = new LogTail(this.path, log, this.#options.disk)
    this.#firstSegment = snapshot.segment ?? 0
    this.#stamp = snapshot.stamp
    return this.#unloadOnError(async () => {
      await confirmMarkedWrite(this.path, log?.records.at(-1), this.#options.disk)
      this.#connection = await Connection.open(snapshot.bytes, this.path)
      replayRecords(this.#connection, log?.records ?? [])
      this.#countSteps()
      return true
    })
  }

  /** Whether `catchUp` would change nothing. */
  isUpToDate(): boolean {
    if (this.#connection === null || this.#log === null || this.#log.hasMore) return false
    return isSameFile(readStamp(this.path), this.#stamp) && this.#steps <= this.#options.knownSteps
  }

  /** Brings the memory up to date with the files. */
  async catchUp({ toWrite }: { toWrite: boolean }): Promise<void> {
    const follows = this.isLoaded && (await this.#unloadOnError(() => this.#follow()))
    if (!follows && !(await this.load())) throw missingFileError(this.path)
    if (this.#steps > this.#options.knownSteps) throw databaseTooNewError(this.path)
    if (toWrite && this.#log?.unconfirmed) throw this.#log.unconfirmed
  }

  /**
   * Writes a commit that was made right after `catchUp`, and resolves with true when it is on disk. Resolves with false if another process
   * committed first. If it resolves with false or throws, the changes must be rolled back in memory.
   */
  async commit(commit: Commit): Promise<boolean> {
    const payload = encodeCommit(commit)
    const { offset, segment } = this.#log!.cursor
    const isLong = !isLastOfEra(segment) && offset + HEAD_BYTES + payload.length >= this.#maxSegmentBytes
    return this.#append(payload, isLong && (await this.#createNextSegment(segment + 1)))
  }

  /** Seals the segment, so that a snapshot of the memory can replace all segments up to it. False if another process committed first. */
  async seal(): Promise<boolean> {
    const { index, segment } = this.#log!.cursor
    if (index === 0) return true
    if (isLastOfEra(segment)) return false
    await createSegment(this.path, segment + 1, this.#options.disk)
    return this.#append(encodeCommit({ statements: [], changes: 0 }), true)
  }

  /** Drops the memory: the next access reads the files. */
  unload(): void {
    this.#connection?.close()
    this.#connection = null
    this.#log?.close()
    this.#log = null
  }

  get #maxSegmentBytes(): number {
    return Math.max(this.#options.minSegmentBytes, this.#stamp!.size / SNAPSHOT_BYTES_PER_LOG_BYTE)
  }

  /** False if the database was replaced: everything must be read again. */
  async #follow(): Promise<boolean> {
    if (this.#log) {
      const records = await this.#log.readNew()
      if (records === null) return false
      if (records.length > 0) {
        replayRecords(this.connection, records)
        this.#countSteps()
      }
    }
    return this.#isCurrent()
  }

  async #append(payload: string, sealed: boolean): Promise<boolean> {
    const { segment } = this.#log!.cursor
    try {
      if (await this.#log!.append(payload, { sealed, isOwn: () => this.#isOwnLog(segment) })) return true
      if (!this.#isCurrent()) this.unload()
      return false
    } catch (error) {
      throw toFileError(error, this.path)
    }
  }

  /** Whether a commit in that segment counts: it is part of the database as it is now, in its log or in its snapshot. */
  #isOwnLog(segment: number): boolean {
    if (this.#isCurrent()) return true
    const named = readNamedSegment(this.path)
    return named !== null && named > segment && isSameEra(named, segment) // compacted while this process was paused
  }

  /** Whether the log that was followed still belongs to the database at the path. */
  #isCurrent(): boolean {
    const stamp = readStamp(this.path)
    if (!isSameFile(stamp, this.#stamp)) {
      const named = this.#log && stamp ? readNamedSegment(this.path) : null
      const last = this.#log?.cursor.segment ?? 0
      if (named === null || named > last || !isSameEra(named, last)) return false
      this.#firstSegment = named
      this.#stamp = stamp
    }
    return this.#log?.isInPlace ?? true
  }

  /** A segment is sealed only if the next one exists; otherwise it keeps growing. */
  async #createNextSegment(segment: number): Promise<boolean> {
    try {
      await createSegment(this.path, segment, this.#options.disk)
      return true
    } catch {
      return false
    }
  }

  #countSteps(): void {
    try {
      this.#steps = this.connection.countSchemaSteps()
    } catch (error) {
      throw damagedError(this.path, null, 'it cannot be read', error)
    }
  }

  async #unloadOnError<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work()
    } catch (error) {
      this.unload()
      throw error
    }
  }
}
