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

/** A record that the disk did not keep is written again at most so often: each time the log grows by it. */
const REWRITE_INTERVAL_MS = 1_000

/** The end of the log, as one process follows it and adds to it. */
export class LogTail {
  readonly #path: string
  readonly #disk: Disk
  readonly #writer = randomBytes(8)
  #file: SegmentFile
  #place: LogCursor
  /** Up to where the file was looked at; null when that is not known. */
  #seen: number | null
  #last: LastRecord | null
  #isLost = false
  #unsettled: StudioError | null = null
  #againAt = 0

  constructor(path: string, log: Log, disk: Disk) {
    this.#path = path
    this.#disk = disk
    this.#file = log.segment
    this.#place = log.cursor
    this.#seen = log.scannedBytes
    this.#last = toLastRecord(log.records)
  }

  /** Where the next commit belongs. */
  get cursor(): LogCursor {
    return this.#place
  }

  /** The commit before it; null where the snapshot holds all that there is. */
  get last(): LastRecord | null {
    return this.#last
  }

  get isInPlace(): boolean {
    return !this.#isLost && this.#file.isInPlace
  }

  /** Whether something stands behind what was read. */
  get hasMore(): boolean {
    return this.#isLost || this.#file.size !== this.#seen
  }

  /** Why the last commits of others are not taken up yet: the disk does not keep them. */
  get unconfirmed(): StudioError | null {
    return this.#unsettled
  }

  /**
   * The commits since the last call, as far as they are on disk; null where they went on in a file that is gone. After null
   * or an error all must be read anew.
   */
  async readNew(): Promise<LoggedRecord[] | null> {
    const records: LoggedRecord[] = []
    while (!this.#isLost) {
      const size = this.#file.size
      if (size === this.#seen) return records
      const bytes = this.#file.read(this.#place.offset, size)
      const found = requireSound(scanSegment(bytes, this.#place), this.#file.path)
      const last = found.records.at(-1)
      if (last && !(await this.#settle(last))) return records
      if (!last) this.#unsettled = null // what was in doubt is not there
      for (const record of found.records) records.push({ ...record, file: this.#file.path })
      this.#last = toLastRecord(found.records) ?? this.#last
      this.#place = found.cursor
      this.#seen = size
      if (found.isSealed) this.#goOn()
    }
    return null
  }

  /**
   * Adds a commit, right after `readOn` has found no more. True when it counts and is on disk; false when another writer's
   * came first, and this one never happened. Where it throws it may count nevertheless: `readOn` will tell. `isOwn` is asked
   * once it stands there, while the disk works: whatever replaces the files later has it in it.
   */
  async append(payload: string, { sealed, isOwn }: { sealed: boolean; isOwn(): boolean }): Promise<boolean> {
    if (!this.#openToAppend()) return false
    const expectedAt = this.#seen
    const at = expectedAt ?? this.#file.size
    const record = encodeRecord(this.#place, payload, { writer: this.#writer, sealed, at })
    this.#seen = null
    this.#disk.append(this.#file.fd, record)
    const { path } = this.#file
    const syncing = this.#disk.sync(this.#file.fd).then(
      () => null,
      (error) => unconfirmedWriteError(path, error),
    )
    let countedAt: number | null
    try {
      countedAt = this.#countedAt(record, expectedAt)
      if (countedAt !== null && !isOwn()) countedAt = null
    } catch (error) {
      throw error instanceof StudioError && error.code === 'database_damaged'
        ? error
        : unconfirmedWriteError(path, error)
    } finally {
      await syncing // the file stays open until then
    }
    const failure = await syncing
    if (failure) throw this.#doubt(failure)
    if (countedAt === null) return false
    const { segment, index } = this.#place
    const previous = decodeHead(record, 0)!.checksum
    this.#place = { segment, index: index + 1, previous, offset: countedAt + record.length }
    this.#last = { segment, offset: countedAt, checksum: previous }
    this.#seen = this.#place.offset
    if (sealed) this.#goOn()
    return true
  }

  close(): void {
    this.#file.close()
  }

  /** What others wrote may still be on its way to the disk: nobody shall rely on what a power cut could take back. */
  async #settle(last: WholeRecord): Promise<boolean> {
    if (this.#unsettled && performance.now() < this.#againAt) return false
    try {
      await this.#disk.sync(this.#file.fd)
      if (this.#unsettled || hasUnconfirmedWrite(this.#path)) await this.#writeAgain(last)
      this.#unsettled = null
    } catch (error) {
      if (isUnwritableError(error)) this.#unsettled = null
      else this.#doubt(unconfirmedWriteError(this.#file.path, error))
    }
    return this.#unsettled === null
  }

  async #writeAgain(last: WholeRecord): Promise<void> {
    this.#againAt = performance.now() + REWRITE_INTERVAL_MS
    await rewriteLastRecord(this.#path, last, this.#disk)
    this.#againAt = 0
  }

  #doubt(failure: StudioError): StudioError {
    this.#unsettled = failure
    markUnconfirmedWrite(this.#path, this.#disk)
    return failure
  }

  #goOn(): void {
    const next = SegmentFile.open(this.#path, this.#place.segment + 1, this.#file.isWritable ? 'append' : 'read')
    this.#isLost = next === null
    if (next === null) return
    this.#file.close()
    this.#file = next
    this.#place = startOfSegment(this.#place.segment + 1)
    this.#seen = 0
  }

  #openToAppend(): boolean {
    if (this.#isLost) return false
    if (this.#file.isWritable) return true
    const file = SegmentFile.open(this.#path, this.#place.segment, 'append')
    if (file === null || !this.#file.isInPlace) {
      file?.close()
      this.#isLost = true
      return false
    }
    this.#file.close()
    this.#file = file
    return true
  }

  /** Where the record stands, if it is the one that counts; all before it is final by then. */
  #countedAt(record: Buffer, expected: number | null): number | null {
    const head = record.subarray(0, HEAD_BYTES)
    if (expected !== null && this.#file.read(expected, expected + HEAD_BYTES).equals(head)) return expected
    const found = requireSound(
      scanSegment(this.#file.read(this.#place.offset, this.#file.size), this.#place),
      this.#file.path,
    )
    const first = found.records[0]
    if (first === undefined) return null
    return this.#file.read(first.offset, first.offset + HEAD_BYTES).equals(head) ? first.offset : null
  }
}
