import { StudioError } from '../../../kernel'
import { databaseTooNewError } from '../../services/apply-migrations'
import type { LogPosition } from '../../services/commit-observer'
import { toFileError } from '../../services/files'
import { BaseFile, type FileStamp, isSameFile, readBaseMarks, readNamedSegment, readStamp } from '../base/base-file'
import type { BaseSource } from '../base/base-source'
import type { Disk } from '../disk'
import { encodeCommit } from '../log/log-record'
import { LogTail } from '../log/log-tail'
import { type OpenLog, openLog, syncLog } from '../log/open-log'
import { encodePage, type PageImage, parsePageCount } from '../log/page-entry'
import type { LogCursor } from '../log/scan-segment'
import { createSegment, isLastOfEra, isSameEra } from '../log/segments'
import { confirmMarkedWrite } from '../log/unconfirmed-write'
import { damagedError, missingFileError } from '../storage-errors'
import { Connection } from './connection'
import { LoggedPages, toPageStorage } from './database-pages'
import { requireNoLog } from './missing-database'
import type { ScratchPages } from './scratch-pages'

export interface DatabaseFilesOptions {
  disk: Disk
  /** The number of schema steps of this version. */
  knownSteps: number
  /** The minimum size of a segment before it is closed. */
  minSegmentBytes: number
  /** The memory for pages. */
  cacheBytes: number
  /** False to change no files: a write that the disk has not confirmed is then left to the next process. */
  confirmsWrites?: boolean
  /** Where changed pages go that are never committed. */
  scratch?: ScratchPages | undefined
}

/** A segment is closed when it reaches this share of the base: opening reads one that is not. */
const BASE_BYTES_PER_SEGMENT_BYTE = 256
const MAX_SEGMENT_BYTES = 16 * 1024 * 1024
/** The closed segments are compacted when they reach this share of the base. */
const BASE_BYTES_PER_LOG_BYTE = 4

/** `overtaken`: another process committed first, or only a part of the commit was written. The transaction runs again. */
export type CommitOutcome = 'unchanged' | 'committed' | 'overtaken'

/** The files of a database as one process sees them: a connection to their pages, and the position in the log. */
export class DatabaseFiles {
  readonly path: string
  readonly #options: DatabaseFilesOptions
  #connection: Connection | null = null
  #stamp: FileStamp | null = null
  #logged: { pages: LoggedPages; log: LogTail } | null = null
  /** The file of another tool, until the first write gives it a log. */
  #withoutLog: BaseFile | null = null
  #steps = 0
  #isStale = false

  constructor(path: string, options: DatabaseFilesOptions) {
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

  /** The position of the next commit; null if the database has no log yet. */
  get cursor(): LogCursor | null {
    return this.#logged?.log.cursor ?? null
  }

  /** Null for an empty file. */
  get base(): BaseFile | null {
    return this.#logged?.pages.base ?? this.#withoutLog
  }

  /** Null if the database has no log yet. */
  get logged(): { pages: LoggedPages; log: LogTail } | null {
    return this.#logged
  }

  /** The position for derived data, which stores it. */
  get position(): LogPosition | null {
    if (this.#logged === null) return null
    const { log, pages } = this.#logged
    // Another process may have written a new base, whose log continues this one.
    const isSame = isSameFile(readStamp(this.path), pages.base.stamp)
    const checksum = isSame ? pages.base.checksum : readBaseMarks(this.path)?.checksum
    return checksum ? { ...log.cursor, last: log.last, snapshot: checksum } : null
  }

  /** Whether there are so many closed segments that a new base should contain them. */
  get isCompactionDue(): boolean {
    if (this.#logged === null) return false
    const { minSegmentBytes } = this.#options
    const limit = Math.max(minSegmentBytes, this.#logged.pages.base.stamp.size / BASE_BYTES_PER_LOG_BYTE)
    return this.sealedBytes >= limit
  }

  /** The bytes of the closed segments of the log. */
  get sealedBytes(): number {
    return this.#logged?.log.sealedBytes ?? 0
  }

  /** The stamp of the base when it was last checked. */
  get stamp(): FileStamp | null {
    return this.#stamp
  }

  /** Opens the files again. False if there is no database. */
  async load(): Promise<boolean> {
    for (;;) {
      this.unload()
      const stamp = readStamp(this.path)
      try {
        return await this.#unloadOnError(() => this.#open(stamp))
      } catch (error) {
        // If the base was replaced meanwhile, the segments belong to its successor.
        if (isSameFile(readStamp(this.path), stamp)) throw error
      }
    }
  }

  /** Whether `catchUp` would change nothing. */
  isUpToDate(): boolean {
    return this.hasAllCommits() && this.#logged!.pages.base.isOpen
  }

  /** Whether the state of the connection is that of the files, although the base may be closed between transactions. */
  hasAllCommits(): boolean {
    if (this.#connection === null || this.#logged === null || this.#isStale || this.#logged.log.hasMore) return false
    return isSameFile(readStamp(this.path), this.#stamp) && this.#steps <= this.#options.knownSteps
  }

  /** Brings the connection up to date with the files. */
  async catchUp({ toWrite }: { toWrite: boolean }): Promise<void> {
    const follows = this.isLoaded && (await this.#unloadOnError(() => this.#follow()))
    if (!follows && !(await this.load())) throw missingFileError(this.path)
    if (this.#steps > this.#options.knownSteps) throw databaseTooNewError(this.path)
    if (toWrite && this.#logged?.log.unconfirmed) throw this.#logged.log.unconfirmed
  }

  /**
   * Writes the pages that the connection's last commit has changed, made right after `catchUp`, and resolves when they are on disk. If
   * another process committed first, or if it throws, the connection is as it was before the commit.
   */
  async commit(names: ReadonlySet<string>): Promise<CommitOutcome> {
    const changedPages = this.connection.changedPages!
    const { pages, log } = this.#logged!
    const kept = new Map<number, PageImage>()
    const entries: Buffer[] = []
    let isCommitted = false
    try {
      const pageCount = parsePageCount(changedPages.get(1) ?? pages.read(1)) || Number.POSITIVE_INFINITY
      for (const [page, bytes] of changedPages) {
        if (page > pageCount) continue // a savepoint was rolled back
        const encoded = encodePage(page, bytes, pages.readImage(page))
        if (encoded === null) continue
        entries.push(encoded.entry)
        kept.set(page, { bytes, depth: encoded.depth })
      }
      if (entries.length === 0) {
        isCommitted = true
        return 'unchanged'
      }
      if (this.#isSegmentFull() && !(await this.#closeSegment())) return 'overtaken'
      isCommitted = await this.#append((isOwn) => log.append(encodeCommit(entries, names), { sealed: false, isOwn }))
      if (!isCommitted) return 'overtaken'
      for (const [page, image] of kept) pages.keep(page, image)
      // The next process need not read the whole segment. If this fails, the next commit tries again.
      if (this.#isSegmentFull()) await this.#closeSegment().catch(() => {})
      return 'committed'
    } finally {
      changedPages.clear()
      if (!isCommitted) this.#isStale = true
    }
  }

  /** Closes the last segment, so that a base can contain all commits. False if another process committed first. */
  async seal(): Promise<boolean> {
    const { index, segment } = this.#logged!.log.cursor
    if (index === 0) return true
    if (isLastOfEra(segment)) return false
    return this.#closeSegment()
  }

  /** The pages as the connection sees them, for another base. */
  toBaseSource(): BaseSource {
    return this.connection.toBaseSource(this.#logged?.pages.toBaseSource() ?? this.#withoutLog!)
  }

  /** Closes the base until the next transaction, so that another process can replace it. Windows does not replace a file that is open. */
  releaseBase(): void {
    this.#logged?.pages.base.close()
  }

  /** Closes the files: the next access opens them again. */
  unload(): void {
    this.#connection?.close()
    this.#connection = null
    this.#logged?.log.close()
    this.#logged?.pages.base.close()
    this.#withoutLog?.close()
    this.#logged = null
    this.#withoutLog = null
    this.#isStale = false
  }

  async #open(stamp: FileStamp | null): Promise<boolean> {
    const { disk, cacheBytes, scratch } = this.#options
    const base = BaseFile.open(this.path)
    if (base === null) requireNoLog(this.path)
    if (base === null && stamp === null) return false
    this.#stamp = base?.stamp ?? stamp
    if (base?.footer) {
      let opened: OpenLog
      try {
        opened = openLog(this.path, base.footer)
        const log = new LogTail(this.path, opened, disk)
        const source = { segments: () => log.segments, end: () => log.cursor.index }
        const pages = new LoggedPages(base, source, { cacheBytes: (cacheBytes * 3) / 4 })
        this.#logged = { pages, log }
      } catch (error) {
        base.close()
        throw error
      }
      const { log, pages } = this.#logged
      const opening = Connection.openPages(pages, { name: this.path, cacheBytes: cacheBytes / 4, scratch })
      // The disk syncs while SQLite starts. The files stay open until both are done.
      const [synced, connected] = await Promise.allSettled([syncLog(this.path, opened, disk), opening])
      if (connected.status === 'fulfilled') this.#connection = connected.value
      for (const { status, reason } of [synced, connected] as PromiseRejectedResult[])
        if (status === 'rejected') throw reason
      if (this.#options.confirmsWrites !== false) await confirmMarkedWrite(this.path, log.last, disk)
    } else {
      this.#withoutLog = base
      this.#connection = await openWithoutLog(this.path, base, { cacheBytes, scratch })
    }
    this.#countSteps()
    return true
  }

  #isSegmentFull(): boolean {
    const { segment, offset, index } = this.#logged!.log.cursor
    return index > 0 && offset >= this.#maxSegmentBytes && !isLastOfEra(segment)
  }

  get #maxSegmentBytes(): number {
    const share = this.#logged!.pages.base.stamp.size / BASE_BYTES_PER_SEGMENT_BYTE
    return Math.max(this.#options.minSegmentBytes, Math.min(share, MAX_SEGMENT_BYTES))
  }

  /** True also if the next segment cannot be created: then this one keeps growing. */
  async #closeSegment(): Promise<boolean> {
    const { log } = this.#logged!
    try {
      await createSegment(this.path, log.cursor.segment + 1, this.#options.disk)
    } catch {
      return true
    }
    return this.#append((isOwn) => log.seal(isOwn))
  }

  /** False if the database was replaced: everything must be read again. */
  async #follow(): Promise<boolean> {
    if (this.#logged) {
      const { log, pages } = this.#logged
      if (!pages.base.isOpen && !this.#isCurrent()) return false
      const changed = await log.readNew()
      if (changed === null) return false
      if (changed.size > 0 || this.#isStale) {
        pages.forget(changed)
        this.connection.refresh()
        this.#isStale = false
        this.#countSteps()
      }
    }
    return this.#isCurrent()
  }

  async #append(write: (isOwn: () => boolean) => Promise<boolean>): Promise<boolean> {
    const { segment } = this.#logged!.log.cursor
    try {
      return await write(() => this.#isOwnLog(segment))
    } catch (error) {
      throw toFileError(error, this.path)
    }
  }

  /** Whether a commit in that segment counts: it is part of the database as it is now, in its log or in its base. */
  #isOwnLog(segment: number): boolean {
    if (this.#isCurrent()) return true
    const named = readNamedSegment(this.path)
    return named !== null && named > segment && isSameEra(named, segment) // compacted while this process was paused
  }

  /** Whether the log that was followed still belongs to the database at the path. */
  #isCurrent(): boolean {
    const stamp = readStamp(this.path)
    const isSame = isSameFile(stamp, this.#stamp) && this.#logged?.pages.base.isOpen !== false
    if (!isSame && !(stamp && this.#openBaseAgain())) return false
    return this.#logged?.log.isInPlace ?? true
  }

  /** Continues on the base that is at the path now. False if it does not belong to the log that was followed. */
  #openBaseAgain(): boolean {
    if (this.#logged === null) return false
    const { log, pages } = this.#logged
    const [first, last] = [log.segments[0]!.number, log.cursor.segment]
    const base = BaseFile.open(this.path)
    const named = base?.footer?.segment
    // An older base would need segments that are gone: somebody has put a copy of it back.
    if (named === undefined || named < first || named > last || !isSameEra(named, last)) {
      base?.close()
      return false
    }
    pages.replaceBase(base!)
    log.forgetBefore(named)
    this.#stamp = base!.stamp
    return true
  }

  #countSteps(): void {
    try {
      this.#steps = this.connection.countSchemaSteps()
    } catch (error) {
      if (error instanceof StudioError) throw error
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

async function openWithoutLog(
  path: string,
  base: BaseFile | null,
  options: Pick<DatabaseFilesOptions, 'cacheBytes' | 'scratch'>,
): Promise<Connection> {
  if (base !== null && !base.hasAutoVacuum) {
    return Connection.openPages(toPageStorage(base), { name: path, ...options })
  }
  const whole = base && Buffer.alloc(base.pageCount * base.pageSize)
  if (whole) base?.readInto(whole, 1)
  const connection = await Connection.open(whole, path)
  // SQLite moves the pages of such a file and makes it shorter, which pages cannot follow. An empty file gets its first page.
  connection.runScript(base ? 'pragma auto_vacuum = none; vacuum' : 'create table first (it); drop table first')
  return connection
}
