import { randomBytes } from 'node:crypto'
import type { StudioError } from '../../kernel'
import { unconfirmed } from './damage'
import type { Disk } from './disk'
import { type Log, type LoggedRecord, requireSound } from './load'
import { encodeRecord, HEAD_BYTES, headAt } from './record'
import { type Place, scan, startOf } from './scan'
import { SegmentFile } from './segment-file'

/** The end of the log, as one process follows it and adds to it. */
export class LogTail {
  readonly #path: string
  readonly #disk: Disk
  readonly #writer = randomBytes(8)
  #file: SegmentFile
  #place: Place
  /** Up to where the file was looked at; null when that is not known. */
  #seen: number | null
  #isLost = false
  #unsettled: StudioError | null = null

  constructor(path: string, log: Log, disk: Disk) {
    this.#path = path
    this.#disk = disk
    this.#file = log.segment
    this.#place = log.place
    this.#seen = log.seen
  }

  /** Where the next commit belongs. */
  get place(): Place {
    return this.#place
  }

  get isInPlace(): boolean {
    return !this.#isLost && this.#file.isInPlace
  }

  /** Whether something stands behind what was read. */
  get hasMore(): boolean {
    return this.#isLost || this.#file.size !== this.#seen
  }

  /** Why the last commits of others are not taken up yet: the disk does not keep them. */
  get unsettled(): StudioError | null {
    return this.#unsettled
  }

  /**
   * The commits since the last call, as far as they are on disk; null where they went on in a file that is gone. After null
   * or an error all must be read anew.
   */
  async readOn(): Promise<LoggedRecord[] | null> {
    const records: LoggedRecord[] = []
    while (!this.#isLost) {
      const size = this.#file.size
      if (size === this.#seen) return records
      const bytes = this.#file.read(this.#place.offset, size)
      const found = requireSound(scan(bytes, this.#place), this.#file.path)
      if (found.records.length > 0 && !(await this.#settle())) return records
      for (const record of found.records) records.push({ ...record, file: this.#file.path })
      this.#place = found.place
      this.#seen = size
      if (found.sealed) this.#goOn()
    }
    return null
  }

  /**
   * Adds a commit, right after `readOn` has found no more. True when it counts and is on disk; false when another writer's
   * came first, and this one never happened. Where it throws it may count nevertheless: `readOn` will tell.
   */
  async append(payload: string, { sealed }: { sealed: boolean }): Promise<boolean> {
    if (!this.#openToAppend()) return false
    const expectedAt = this.#seen
    const at = expectedAt ?? this.#file.size
    const record = encodeRecord(this.#place, payload, { writer: this.#writer, sealed, at })
    this.#seen = null
    this.#disk.append(this.#file.fd, record)
    await this.#disk.sync(this.#file.fd).catch((error) => {
      throw unconfirmed(this.#file.path, error)
    })
    const countedAt = this.#countedAt(record, expectedAt)
    if (countedAt === null) return false
    const { segment, index } = this.#place
    const previous = headAt(record, 0)!.checksum
    this.#place = { segment, index: index + 1, previous, offset: countedAt + record.length }
    this.#seen = this.#place.offset
    if (sealed) this.#goOn()
    return true
  }

  close(): void {
    this.#file.close()
  }

  /** What others wrote may still be on its way to the disk: nobody shall rely on what a power cut could take back. */
  async #settle(): Promise<boolean> {
    this.#unsettled = null
    try {
      await this.#disk.sync(this.#file.fd)
    } catch (error) {
      if (!isReadOnly(error)) this.#unsettled = unconfirmed(this.#file.path, error)
    }
    return this.#unsettled === null
  }

  #goOn(): void {
    const next = SegmentFile.open(this.#path, this.#place.segment + 1, this.#file.writable ? 'append' : 'read')
    this.#isLost = next === null
    if (next === null) return
    this.#file.close()
    this.#file = next
    this.#place = startOf(this.#place.segment + 1)
    this.#seen = 0
  }

  #openToAppend(): boolean {
    if (this.#isLost) return false
    if (this.#file.writable) return true
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
    const found = requireSound(scan(this.#file.read(this.#place.offset, this.#file.size), this.#place), this.#file.path)
    const first = found.records[0]
    if (first === undefined) return null
    return this.#file.read(first.offset, first.offset + HEAD_BYTES).equals(head) ? first.offset : null
  }
}

/** A file of a read-only disk, or one that may only be read, has nothing of ours on its way. */
function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['EROFS', 'EINVAL', 'EPERM', 'EBADF'].includes(String(error.code))
}
