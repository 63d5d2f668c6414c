import { StudioError } from '../../kernel'
import { databaseTooNewError } from '../services/apply-migrations'
import type { LogPosition } from '../services/commit-observer'
import { toFileError } from '../services/files'
import { Connection } from './connection'
import type { Disk } from './disk'
import { loadDatabase, replayRecords } from './load-database'
import { HEAD_BYTES } from './log-record'
import { LogTail } from './log-tail'
import type { LogCursor } from './scan-segment'
import { createSegment, isLastOfEra, isSameEra } from './segments'
import { type FileStamp, isSameFile, readMarks, readNamedSegment, readStamp } from './snapshot'
import { type Commit, encodeCommit } from './statements'
import { damagedError, missingFileError } from './storage-errors'
import { confirmMarkedWrite } from './unconfirmed-write'

export interface LogReplicaOptions {
  disk: Disk
  /** How many schema steps this version knows. */
  knownSteps: number
  /** A segment is closed when it is as long as this, or as an eighth of the snapshot where that is more. */
  minSegmentBytes: number
}

/** So much of the snapshot is written again for each byte of the log. */
const SNAPSHOT_TO_LOG = 8

/** The database in this process's memory, and how far it has followed the files. */
export class LogReplica {
  readonly path: string
  readonly #options: LogReplicaOptions
  #connection: Connection | null = null
  #stamp: FileStamp | null = null
  /** The segment that the snapshot names. */
  #first = 0
  /** Null while the snapshot is of another origin: it has no log. */
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

  /** How many schema steps the database has had. */
  get steps(): number {
    return this.#steps
  }

  /** Where the next commit belongs; null where the snapshot is of another origin. */
  get cursor(): LogCursor | null {
    return this.#log?.cursor ?? null
  }

  /** The same, for who keeps something made out of the rows. */
  get position(): LogPosition | null {
    const marks = this.#log && readMarks(this.path)
    return marks ? { ...this.#log!.cursor, last: this.#log!.last, snapshot: marks.checksum } : null
  }

  /** Whether there are closed segments that a new snapshot would stand for. */
  get isCompactionDue(): boolean {
    return this.#log !== null && this.#log.cursor.segment > this.#first
  }

  /** The file as it was when it was last looked at. */
  get stamp(): FileStamp | null {
    return this.#stamp
  }

  /** Reads all of it anew. False where there is no database. */
  async load(): Promise<boolean> {
    this.unload()
    const loaded = await loadDatabase(this.path, this.#options.disk)
    if (loaded === null) return false
    const { snapshot, log } = loaded
    if (log) this.#log = new LogTail(this.path, log, this.#options.disk)
    this.#first = snapshot.segment ?? 0
    this.#stamp = snapshot.stamp
    return this.#orForget(async () => {
      await confirmMarkedWrite(this.path, log?.records.at(-1), this.#options.disk)
      this.#connection = await Connection.open(snapshot.bytes, this.path)
      replayRecords(this.#connection, log?.records ?? [])
      this.#countSteps()
      return true
    })
  }

  /** Whether nothing has happened since the last look: then `catchUp` would change nothing. */
  isUpToDate(): boolean {
    if (this.#connection === null || this.#log === null || this.#log.hasMore) return false
    return isSameFile(readStamp(this.path), this.#stamp) && this.#steps <= this.#options.knownSteps
  }

  /** Brings the memory to what the files say now. */
  async catchUp({ toWrite }: { toWrite: boolean }): Promise<void> {
    const follows = this.isLoaded && (await this.#orForget(() => this.#follow()))
    if (!follows && !(await this.load())) throw missingFileError(this.path)
    if (this.#steps > this.#options.knownSteps) throw databaseTooNewError(this.path)
    if (toWrite && this.#log?.unconfirmed) throw this.#log.unconfirmed
  }

  /**
   * Writes a commit that was made right after `catchUp`, and resolves when it is on disk: true. False when another process
   * was faster: then it never happened, and what it did in memory must be taken back. The same where it throws.
   */
  async commit(commit: Commit): Promise<boolean> {
    const payload = encodeCommit(commit)
    const { offset, segment } = this.#log!.cursor
    const isLong = !isLastOfEra(segment) && offset + HEAD_BYTES + payload.length >= this.#maxSegmentBytes
    return this.#append(payload, isLong && (await this.#canGoOnIn(segment + 1)))
  }

  /** Closes the segment, so that a snapshot of the memory as it is stands for all before the next one. False as above. */
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
    return Math.max(this.#options.minSegmentBytes, this.#stamp!.size / SNAPSHOT_TO_LOG)
  }

  /** False where the memory has nothing to do with the files any more. */
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

  /** Whether what was followed is all there is to follow, and of the database that is there. */
  #isCurrent(): boolean {
    const stamp = readStamp(this.path)
    if (!isSameFile(stamp, this.#stamp)) {
      const named = this.#log && stamp ? readNamedSegment(this.path) : null
      const last = this.#log?.cursor.segment ?? 0
      if (named === null || named > last || !isSameEra(named, last)) return false
      this.#first = named
      this.#stamp = stamp
    }
    return this.#log?.isInPlace ?? true
  }

  /** A segment is only closed when the next one is there; without it this one grows on. */
  async #canGoOnIn(segment: number): Promise<boolean> {
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

  async #orForget<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work()
    } catch (error) {
      this.unload()
      throw error
    }
  }
}
