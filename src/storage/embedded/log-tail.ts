import { randomBytes } from 'node:crypto'
import { StudioError } from '../../kernel'
import type { LastRecord } from '../services/commit-observer'
import type { Disk } from './disk'
import { type Log, type LoggedRecord, requireSound } from './load-database'
import { decodeHead, encodeRecord, HEAD_BYTES } from './log-record'
import { type LogCursor, scanSegment, startOfSegment, type WholeRecord } from './scan-segment'
import { SegmentFile } from './segments'
import { unconfirmedWriteError } from './storage-errors'
import { hasUnconfirmedWrite, isUnwritableError, markUnconfirmedWrite, rewriteLastRecord } from './unconfirmed-write'

function toLastRecord(records: readonly WholeRecord[]): LastRecord | null {
  const last = records.at(-1)
  return last ? { segment: last.head.segment, offset: last.offset, checksum: last.head.checksum } : null
}

/** How often an unconfirmed record is written again at most. Each time the log grows by the record. */
const REWRITE_INTERVAL_MS = 1_000

/** The end of the log, as one process reads it and appends to it. */
export class LogTail {
  readonly #path: string
  readonly #disk: Disk
  readonly #writer = randomBytes(8)
  #file: SegmentFile
  #cursor: LogCursor
  /** How far the file was read; null if unknown. */
  #scannedBytes: number | null
  #last: LastRecord | null
  #isLost = false
  #unconfirmed: StudioError | null = null
  #retryAt = 0

  constructor(path: string, log: Log, disk: Disk) {
    this.#path = path
    this.#disk = disk
    this.#file = log.segment
    this.#cursor = log.cursor
    this.#scannedBytes = log.scannedBytes
    this.#last = toLastRecord(log.records)
  }

  /** The position of the next commit. */
  get cursor(): LogCursor {
    return this.#cursor
  }

  /** The commit before it; null if the snapshot contains all commits. */
  get last(): LastRecord | null {
    return this.#last
  }

  get isInPlace(): boolean {
    return !this.#isLost && this.#file.isInPlace
  }

  /** Whether the file has grown since it was read. */
  get hasMore(): boolean {
    return this.#isLost || this.#file.size !== this.#scannedBytes
  }

  /** Why the last commits of other processes are not applied yet: the disk does not confirm them. */
  get unconfirmed(): StudioError | null {
    return this.#unconfirmed
  }

  /**
   * The commits since the last call that are on disk; null if the next segment is gone. After null or an error everything must be read
   * again.
   */
  async readNew(): Promise<LoggedRecord[] | null> {
    const records: LoggedRecord[] = []
    while (!this.#isLost) {
      const size = this.#file.size
      if (size === this.#scannedBytes) return records
      const bytes = this.#file.read(this.#cursor.offset, size)
      const found = requireSound(scanSegment(bytes, this.#cursor), this.#file.path)
      const last = found.records.at(-1)
      if (last && !(await this.#confirm(last))) return records
      if (!last) this.#unconfirmed = null // the unconfirmed record is gone
      for (const record of found.records) records.push({ ...record, file: this.#file.path })
      this.#last = toLastRecord(found.records) ?? this.#last
      this.#cursor = found.cursor
      this.#scannedBytes = size
      if (found.isSealed) this.#openNextSegment()
    }
    return null
  }

  /**
   * Appends a commit, right after `readNew` found no more. True if it counts and is on disk; false if another writer's record came first.
   * If it throws, the commit may count nevertheless: `readNew` will show it. `isOwn` is called after the append, while the disk syncs: a
   * snapshot that replaces the files later contains the record.
   */
  async append(payload: string, { sealed, isOwn }: { sealed: boolean; isOwn(): boolean }): Promise<boolean> {
    if (!this.#openToAppend()) return false
    const expectedAt = this.#scannedBytes
    const at = expectedAt ?? this.#file.size
    const record = encodeRecord(this.#cursor, payload, { writer: this.#writer, sealed, at })
    this.#scannedBytes = null
    this.#disk.append(this.#file.fd, record)
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
      throw error instanceof StudioError && error.code === 'database_damaged'
        ? error
        : unconfirmedWriteError(path, error)
    } finally {
      await syncing // the file must stay open until then
    }
    const failure = await syncing
    if (failure) throw this.#markUnconfirmed(failure)
    if (offset === null) return false
    const { segment, index } = this.#cursor
    const previous = decodeHead(record, 0)!.checksum
    this.#cursor = { segment, index: index + 1, previous, offset: offset + record.length }
    this.#last = { segment, offset, checksum: previous }
    this.#scannedBytes = this.#cursor.offset
    if (sealed) this.#openNextSegment()
    return true
  }

  close(): void {
    this.#file.close()
  }

  /** Records of other processes may not be on disk yet. No process may rely on data that a power cut could revert. */
  async #confirm(last: WholeRecord): Promise<boolean> {
    if (this.#unconfirmed && performance.now() < this.#retryAt) return false
    try {
      await this.#disk.sync(this.#file.fd)
      if (this.#unconfirmed || hasUnconfirmedWrite(this.#path)) await this.#rewrite(last)
      this.#unconfirmed = null
    } catch (error) {
      if (isUnwritableError(error)) this.#unconfirmed = null
      else this.#markUnconfirmed(unconfirmedWriteError(this.#file.path, error))
    }
    return this.#unconfirmed === null
  }

  async #rewrite(last: WholeRecord): Promise<void> {
    this.#retryAt = performance.now() + REWRITE_INTERVAL_MS
    await rewriteLastRecord(this.#path, last, this.#disk)
    this.#retryAt = 0
  }

  #markUnconfirmed(failure: StudioError): StudioError {
    this.#unconfirmed = failure
    markUnconfirmedWrite(this.#path, this.#disk)
    return failure
  }

  #openNextSegment(): void {
    const next = SegmentFile.open(this.#path, this.#cursor.segment + 1, this.#file.isWritable ? 'append' : 'read')
    this.#isLost = next === null
    if (next === null) return
    this.#file.close()
    this.#file = next
    this.#cursor = startOfSegment(this.#cursor.segment + 1)
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
    this.#file = file
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
