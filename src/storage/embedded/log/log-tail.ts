import { randomBytes } from 'node:crypto'
import type { StudioError } from '../../../kernel'
import type { LastRecord } from '../../services/commit-observer'
import type { Disk } from '../disk'
import { needsRepair, unconfirmedWriteError } from '../storage-errors'
import { decodeHead, encodeRecord, HEAD_BYTES } from './log-record'
import { closeSegments, type OpenLog, requireSound } from './open-log'
import { type LogCursor, scanSegment, startOfSegment, type WholeRecord } from './scan-segment'
import { addToIndex, GrowingIndex, SegmentPages } from './segment-pages'
import { isBefore, SegmentFile } from './segments'
import { hasUnconfirmedWrite, isUnwritableError, markUnconfirmedWrite, rewriteLastRecord } from './unconfirmed-write'

function toLastRecord(last: WholeRecord | null | undefined): LastRecord | null {
  return last ? { segment: last.head.segment, offset: last.offset, checksum: last.head.checksum } : null
}

/** How often an unconfirmed record is written again at most. Each time the log grows by the record. */
const REWRITE_INTERVAL_MS = 1_000

/** Such as that of an attachment. Before it is written, the disk is asked for its free space. */
const LARGE_RECORD_BYTES = 512 * 1024
/** What a large record leaves free: some thousand bookings. */
const RESERVED_BYTES = 4 * 1024 * 1024

/** The log, as one process reads it and appends to it. */
export class LogTail {
  readonly #path: string
  readonly #disk: Disk
  /** Made by the first append: reading does not need it, and `node:crypto` takes as long to load as a query. */
  #writer: Buffer | null = null
  /** The segments since the base. Only the last one grows. */
  #segments: SegmentPages[]
  /** Null after a change of the closed segments. Every commit asks. */
  #sealedBytes: number | null = null
  #cursor: LogCursor
  /** How far the last segment was read; null if unknown. */
  #scannedBytes: number | null
  #last: LastRecord | null
  #isLost = false
  #unconfirmed: StudioError | null = null
  #retryAt = 0

  constructor(path: string, log: OpenLog, disk: Disk) {
    this.#path = path
    this.#disk = disk
    this.#segments = log.segments
    this.#cursor = log.cursor
    this.#scannedBytes = log.scannedBytes
    this.#last = toLastRecord(log.last)
  }

  get segments(): readonly SegmentPages[] {
    return this.#segments
  }

  /** The position of the next commit. */
  get cursor(): LogCursor {
    return this.#cursor
  }

  /** The commit before it; null if the base contains all commits. */
  get last(): LastRecord | null {
    return this.#last
  }

  get isInPlace(): boolean {
    return !this.#isLost && this.#file.isInPlace
  }

  /** Whether the last segment has grown since it was read. */
  get hasMore(): boolean {
    return this.#isLost || this.#file.size !== this.#scannedBytes
  }

  /** Why the last commits of other processes are not applied yet: the disk does not confirm them. */
  get unconfirmed(): StudioError | null {
    return this.#unconfirmed
  }

  /** The size of the segments that are closed. */
  get sealedBytes(): number {
    this.#sealedBytes ??= this.#segments.slice(0, -1).reduce((sum, { file }) => sum + file.size, 0)
    return this.#sealedBytes
  }

  /**
   * Reads the commits since the last call that are on disk. The pages that they change, or null if the next segment is gone. After null or
   * an error everything must be read again.
   */
  async readNew(): Promise<Set<number> | null> {
    const changed = new Set<number>()
    while (!this.#isLost) {
      const { size } = this.#file
      if (size === this.#scannedBytes) return changed
      const bytes = this.#file.read(this.#cursor.offset, size)
      const found = requireSound(scanSegment(bytes, this.#cursor), this.#file.path)
      const last = found.records.at(-1)
      if (last) {
        const confirmedAt = await this.#confirm(last)
        if (confirmedAt === null) return changed
        last.offset = confirmedAt
      } else this.#unconfirmed = null // the unconfirmed record is gone
      for (const record of found.records)
        for (const { page } of addToIndex(this.#index, record, this.#file.path)?.entries ?? []) changed.add(page)
      this.#last = toLastRecord(last) ?? this.#last
      this.#cursor = found.cursor
      this.#scannedBytes = size
      if (found.isSealed) this.#openNextSegment()
    }
    return null
  }

  /**
   * Appends a commit, right after `readNew` found no more. True if it counts and is on disk; false if another writer's record came first, or
   * if only a part was written, so that the next append says why.
   * If it throws, the commit may count nevertheless: `readNew` will show it. `isOwn` is called after the append, while the disk syncs: a
   * base that replaces the files later contains the record.
   */
  async append(payload: Uint8Array, { sealed, isOwn }: { sealed: boolean; isOwn(): boolean }): Promise<boolean> {
    if (!this.#openToAppend()) return false
    const expectedAt = this.#scannedBytes
    const at = expectedAt ?? this.#file.size
    this.#writer ??= randomBytes(8)
    const record = encodeRecord(this.#cursor, payload, { writer: this.#writer, sealed, at })
    this.#requireSpace(record.length)
    this.#scannedBytes = null
    // The rest must not be written later: another writer's record may follow by then.
    if (this.#disk.append(this.#file.fd, record) < record.length) return false
    const { path } = this.#file
    const syncing = this.#disk.sync(this.#file.fd).then(
      () => null,
      (error) => unconfirmedWriteError(path, error),
    )
    let offset: number | null
    try {
      offset = this.#findRecord(record, expectedAt)
      if (offset !== null && !isOwn()) offset = null
    } catch (error) {
      throw needsRepair(error) ? error : unconfirmedWriteError(path, error)
    } finally {
      await syncing // the file must stay open until then
    }
    const failure = await syncing
    if (failure) throw this.#markUnconfirmed(failure)
    if (offset === null) return false
    const { segment, index } = this.#cursor
    const head = decodeHead(record, 0)!
    addToIndex(this.#index, { head, payload: record.subarray(HEAD_BYTES), offset }, path)
    this.#cursor = { segment, index: index + 1, previous: head.checksum, offset: offset + record.length }
    this.#last = { segment, offset, checksum: head.checksum }
    this.#scannedBytes = this.#cursor.offset
    if (sealed) this.#openNextSegment()
    return true
  }

  /**
   * What a full disk has taken of a record stays in the file, because another writer's record may follow. So a large record that does not fit
   * is not begun: it would take the space in which small ones fit.
   */
  #requireSpace(bytes: number): void {
    if (bytes < LARGE_RECORD_BYTES || this.#disk.freeBytes(this.#file.path) >= bytes + RESERVED_BYTES) return
    throw Object.assign(new Error('ENOSPC: the record is larger than the free space'), { code: 'ENOSPC' })
  }

  /** Ends the segment with its index, so that a new base can contain it. The next one must exist. */
  async seal(isOwn: () => boolean): Promise<boolean> {
    const at = this.#scannedBytes ?? this.#file.size
    return this.append(this.#index.encode(at), { sealed: true, isOwn })
  }

  /** Closes the segments that a new base contains. */
  forgetBefore(segment: number): void {
    const isOld = ({ number }: SegmentPages) => isBefore(number, segment)
    for (const { file } of this.#segments.filter(isOld)) file.closeRemoved()
    this.#segments = this.#segments.filter((one) => !isOld(one))
    this.#sealedBytes = null
  }

  close(): void {
    closeSegments(this.#segments)
  }

  get #file(): SegmentFile {
    return this.#segments.at(-1)!.file
  }

  get #index(): GrowingIndex {
    const { index } = this.#segments.at(-1)!
    if (!(index instanceof GrowingIndex)) throw new Error('the last segment is closed')
    return index
  }

  /**
   * Records of other processes may not be on disk yet. No process may rely on data that a power cut could revert. Returns the offset at
   * which the last record is on disk; null if the disk does not confirm it.
   */
  async #confirm(last: WholeRecord): Promise<number | null> {
    if (this.#unconfirmed && performance.now() < this.#retryAt) return null
    let offset = last.offset
    try {
      await this.#disk.sync(this.#file.fd)
      if (this.#unconfirmed || hasUnconfirmedWrite(this.#path)) offset = (await this.#rewrite(last)) ?? offset
      this.#unconfirmed = null
    } catch (error) {
      if (isUnwritableError(error)) this.#unconfirmed = null
      else this.#markUnconfirmed(unconfirmedWriteError(this.#file.path, error))
    }
    return this.#unconfirmed === null ? offset : null
  }

  async #rewrite(last: WholeRecord): Promise<number | null> {
    this.#retryAt = performance.now() + REWRITE_INTERVAL_MS
    const offset = await rewriteLastRecord(this.#path, toLastRecord(last), this.#disk)
    this.#retryAt = 0
    return offset
  }

  #markUnconfirmed(failure: StudioError): StudioError {
    this.#unconfirmed = failure
    markUnconfirmedWrite(this.#path, this.#disk)
    return failure
  }

  #openNextSegment(): void {
    const { segment, previous } = this.#cursor
    const number = segment + 1
    const file = SegmentFile.open(this.#path, number, this.#file.isWritable ? 'append' : 'read')
    this.#isLost = file === null
    if (file === null) return
    this.#sealedBytes = null
    this.#segments.push(new SegmentPages(file, { number, previous, index: new GrowingIndex() }))
    this.#cursor = startOfSegment(number, previous)
    this.#scannedBytes = 0
  }

  #openToAppend(): boolean {
    if (this.#isLost) return false
    if (this.#file.isWritable) return true
    const file = SegmentFile.open(this.#path, this.#cursor.segment, 'append')
    if (file === null || !this.#file.isInPlace) {
      file?.close()
      this.#isLost = true
      return false
    }
    this.#file.close()
    this.#segments.at(-1)!.file = file
    return true
  }

  /** The offset of the record if it counts: no record of another writer precedes it. */
  #findRecord(record: Buffer, expected: number | null): number | null {
    const head = record.subarray(0, HEAD_BYTES)
    if (expected !== null && this.#file.read(expected, expected + HEAD_BYTES).equals(head)) return expected
    const found = requireSound(
      scanSegment(this.#file.read(this.#cursor.offset, this.#file.size), this.#cursor),
      this.#file.path,
    )
    const first = found.records[0]
    if (first === undefined) return null
    return this.#file.read(first.offset, first.offset + HEAD_BYTES).equals(head) ? first.offset : null
  }
}
