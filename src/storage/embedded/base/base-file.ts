import { type BigIntStats, closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { crc32 } from '../../../kernel/crc32'
import { errorCodeOf, type StudioError } from '../../../kernel/errors'
import { toFileVersion } from '../../services/file-version'
import { requireNoFolder, requireRegularFile, toFileError } from '../../services/files'
import { closeRemoved, readBytes, readInto } from '../disk'
import { parsePageCount } from '../log/page-entry'
import { isBefore, isSameEra } from '../log/segments'
import { changedError, damagedError, notADatabaseError } from '../storage-errors'
import {
  clearMarks,
  combineChecksums,
  decodeFooter,
  FOOTER_BYTES,
  type Footer,
  HEADER_BYTES,
  hasAutoVacuum,
  isSqlite,
  measureTrailer,
  normalizeHeader,
  parseMarks,
  parsePageSize,
  toChecksum,
} from './base-format'
import { type BaseSource, readPieces } from './base-source'
import { isSameHeader, setRollbackJournal, writeHeaderFields } from './header-fields'
import { requireFinishedJournals } from './sqlite-journals'

/** Identifies a version of a file. It changes if the file is replaced or modified. */
export interface FileStamp {
  version: string
  size: number
}

function toStamp(stats: BigIntStats): FileStamp {
  return { version: toFileVersion(stats), size: Number(stats.size) }
}

export function isSameFile(one: FileStamp | null, other: FileStamp | null): boolean {
  return one?.version === other?.version
}

/** The stamp of the file at `path`; null if there is none. */
export function readStamp(path: string): FileStamp | null {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (found && !found.isFile()) requireRegularFile(path, found)
    return found ? toStamp(found) : null
  } catch (error) {
    throw toFileError(error, path)
  }
}

/** Where the log of the current base begins, and what identifies the base; null if there is none, or it has no log. */
export function readBaseMarks(path: string): { segment: number; previous: number; checksum: number } | null {
  const fd = openToRead(path)
  if (fd === null) return null
  try {
    const header = readBytes(fd, 0, HEADER_BYTES)
    const footer = isSqlite(header) ? readFooter(fd, fstatSync(fd).size) : null
    return footer && { segment: footer.segment, previous: footer.previous, checksum: identify(header, footer) }
  } catch (error) {
    throw toFileError(error, path)
  } finally {
    closeSync(fd)
  }
}

/** The segment in which the log of the current base begins; null if there is no base, or it has no log. */
export function readNamedSegment(path: string): number | null {
  return readBaseMarks(path)?.segment ?? null
}

/** Whether the current base belongs to the same database as one with a log from `segment`, and is older. */
export function isOlderBase(path: string, segment: number): boolean {
  const named = readNamedSegment(path)
  return named !== null && isSameEra(named, segment) && isBefore(named, segment)
}

/** Pages of the checksum table are read in blocks of this size. */
const BLOCK_BYTES = 4_096

/** The SQLite file at the path of a database, of which pages are read as they are needed. It never changes: it is replaced by a rename. */
export class BaseFile implements BaseSource {
  readonly path: string
  readonly stamp: FileStamp
  readonly pageSize: number
  readonly pageCount: number
  /** Whether another tool created the file. */
  readonly isForeign: boolean
  readonly footer: Footer | null
  /** What identifies the base; null if another tool created it. */
  readonly checksum: number | null
  /** Whether SQLite moves pages and makes the file shorter. */
  readonly hasAutoVacuum: boolean
  /** Whether another program has written all pages anew, at other places. */
  readonly isRewritten: boolean
  /** Whether bytes were appended to the file. */
  readonly isTooLong: boolean
  /** Whether another program has changed fields of the header that say nothing about rows. */
  readonly isHeaderChanged: boolean
  readonly #fd: number
  readonly #checksums = new Map<number, Buffer>()
  #isOpen = true

  private constructor(path: string, fd: number, { stamp, isDamaged }: { stamp: FileStamp; isDamaged: boolean }) {
    this.path = path
    this.#fd = fd
    this.stamp = stamp
    const header = readBytes(fd, 0, HEADER_BYTES)
    const atEnd = readFooter(fd, stamp.size)
    // The footer has a checksum of its own, so it says more than a damaged header.
    this.footer = atEnd ?? (isSqlite(header) ? this.#findFooterBefore(header) : null)
    if (!isSqlite(header) && !(isDamaged && this.footer)) throw notADatabaseError(path)
    this.pageSize = this.footer?.pageSize ?? parsePageSize(header)
    if (this.pageSize < 512) throw notADatabaseError(path)
    const marks = parseMarks(header)
    this.checksum = this.footer ? identify(header, this.footer) : (marks?.checksum ?? null)
    this.isForeign = this.checksum === null
    this.hasAutoVacuum = this.footer === null && hasAutoVacuum(header)
    this.pageCount = this.footer?.pageCount ?? (parsePageCount(header) || Math.floor(stamp.size / this.pageSize))
    this.isRewritten = !this.isForeign && this.footer === null && stamp.size === this.pageCount * this.pageSize
    this.isTooLong = this.footer !== null && atEnd === null
    this.isHeaderChanged =
      this.footer !== null && (marks?.userVersion !== 0 || !isSameHeader(header, this.footer.header))
    if (isDamaged) this.pageCount = Math.min(this.pageCount, Math.floor(stamp.size / this.pageSize))
    else this.#requireEnd()
    if (!isDamaged || this.isForeign) requireFinishedJournals(path, { isOurs: !this.isForeign })
  }

  /**
   * Null if there is no file at `path`, or an empty one, as `touch` creates it.
   * @param isDamaged whether as much as possible is to be read, without the end of the file if need be.
   */
  static open(path: string, { isDamaged = false }: { isDamaged?: boolean } = {}): BaseFile | null {
    const fd = openToRead(path)
    if (fd === null) return null
    try {
      const found = fstatSync(fd, { bigint: true })
      requireRegularFile(path, found)
      requireNoFolder(path, found)
      const stamp = toStamp(found)
      if (stamp.size > 0) return new BaseFile(path, fd, { stamp, isDamaged })
    } catch (error) {
      closeSync(fd)
      throw toFileError(error, path)
    }
    closeSync(fd)
    return null
  }

  /** The page as SQLite sees it; null after the last one. Throws `database_damaged` if it does not match its checksum. */
  read(page: number, bytes: Uint8Array = Buffer.allocUnsafeSlow(this.pageSize)): Uint8Array | null {
    if (page > this.pageCount) return null
    this.readInto(bytes, page)
    if (this.footer !== null && crc32(bytes) !== this.checksumOf(page)) throw this.#pageError(page)
    return bytes
  }

  /** Fills `bytes` with pages as SQLite sees them, without a check. */
  readInto(bytes: Uint8Array, first: number): void {
    if (readInto(bytes, this.#fd, (first - 1) * this.pageSize) < bytes.length)
      throw damagedError(this.path, this.stamp.size, 'its end is missing')
    if (first > 1) return
    clearMarks(bytes)
    if (this.footer !== null) writeHeaderFields(bytes, this.footer.header)
    else if (!this.isForeign) setRollbackJournal(bytes)
    else normalizeHeader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), this.pageCount)
  }

  /** The checksum that the file contains for a page; null if it has none. */
  checksumOf(page: number): number | null {
    if (this.footer === null) return null
    const at = (page - 1) * 4
    const block = Math.floor(at / BLOCK_BYTES)
    let bytes = this.#checksums.get(block)
    if (bytes === undefined) {
      bytes = readBytes(this.#fd, this.pageCount * this.pageSize + block * BLOCK_BYTES, BLOCK_BYTES)
      this.#checksums.set(block, bytes)
    }
    return bytes.readUInt32LE(at % BLOCK_BYTES)
  }

  /** Reads the whole file, and throws `database_damaged` or `database_changed` if it is not what was written. */
  verify(): void {
    const [page] = this.findDamagedPages()
    if (page !== undefined) throw this.#pageError(page)
    if (this.isEndDamaged()) throw damagedError(this.path, null, 'its checksum does not match')
  }

  /** Whether the checksums of the pages are those that were written. */
  areChecksumsSound(): boolean {
    if (this.footer === null) return false
    const trailer = this.#readTrailer(this.footer)
    const checksums = Uint32Array.from({ length: this.pageCount }, (_, i) => trailer.readUInt32LE(i * 4))
    return toChecksum(crc32(trailer, combineChecksums(checksums, this.pageSize))) === this.checksum
  }

  *findDamagedPages(): Generator<number> {
    if (this.footer === null) return
    const { pageSize } = this
    for (const { first, bytes } of readPieces(this)) {
      for (let at = 0; at < bytes.length; at += pageSize) {
        const page = first + at / pageSize
        if (crc32(bytes.subarray(at, at + pageSize)) !== this.checksumOf(page)) yield page
      }
    }
  }

  /** Whether there is anything else than zeros between the checksums and the footer. */
  isEndDamaged(): boolean {
    if (this.footer === null) return false
    const trailer = this.#readTrailer(this.footer)
    return trailer.subarray(this.pageCount * 4, -FOOTER_BYTES).some((byte) => byte !== 0)
  }

  #pageError(page: number): StudioError {
    const at = (page - 1) * this.pageSize
    if (this.isHeaderChanged) return changedError(this.path, `Another program has changed ${this.path}, at byte ${at}.`)
    return damagedError(this.path, at, 'the page there does not match its checksum')
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#fd)
    this.#isOpen = false
  }

  /** The same after the file was replaced by another one. */
  closeReplaced(): void {
    if (this.#isOpen) closeRemoved(this.#fd)
    this.#isOpen = false
  }

  #readTrailer(footer: Footer): Buffer {
    const trailer = Buffer.allocUnsafeSlow(measureTrailer(footer))
    readInto(trailer, this.#fd, footer.pageCount * footer.pageSize)
    return trailer
  }

  /** The footer of a base to which bytes were appended. */
  #findFooterBefore(header: Buffer): Footer | null {
    const [pageSize, pageCount] = [parsePageSize(header), parsePageCount(header)]
    const end = pageCount * pageSize + measureTrailer({ pageSize, pageCount })
    return pageSize >= 512 && end < this.stamp.size ? readFooter(this.#fd, end) : null
  }

  #requireEnd(): void {
    const { path, stamp } = this
    if (this.isRewritten) throw changedError(path, `Another program has rewritten ${path}, for example with VACUUM.`)
    if (this.isTooLong) throw changedError(path, `Another program has appended bytes to ${path}.`)
    if (stamp.size < this.pageCount * this.pageSize) throw damagedError(path, stamp.size, 'its end is missing')
    if (!this.isForeign && this.footer === null) throw damagedError(path, null, 'its end is not what was written')
  }
}

/** The footer of a base of this size; null if it has none. */
function readFooter(fd: number, size: number): Footer | null {
  const footer = decodeFooter(readBytes(fd, size - FOOTER_BYTES, FOOTER_BYTES))
  return footer !== null && size === footer.pageCount * footer.pageSize + measureTrailer(footer) ? footer : null
}

/** The number that identifies a base. Another program may have removed it from the header. */
function identify(header: Buffer, footer: Footer): number {
  return parseMarks(header)?.checksum ?? footer.checksum
}

function openToRead(path: string): number | null {
  try {
    requireRegularFile(path, statSync(path, { throwIfNoEntry: false }))
    return openSync(path, 'r')
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return null
    throw toFileError(error, path)
  }
}
