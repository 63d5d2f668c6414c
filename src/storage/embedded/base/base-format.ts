import { crc32 } from '../../../kernel/crc32'
import { writePageCount } from '../log/page-entry'
import { type HeaderFields, setRollbackJournal } from './header-fields'

/**
 * The base is a plain SQLite file, followed by the checksums of its pages:
 *
 * ```
 * pages · the CRC-32 of each page, 4 bytes · zeros up to a multiple of the page size · a footer of 48 bytes
 * ```
 * All numbers are little-endian, but not those of SQLite's header. SQLite leaves two fields of that header to applications, the marks:
 * `user_version` is 0, and `application_id` is the checksum of the file with these four bytes as zeros, never 0 itself. Another tool
 * created a file without a checksum in its marks.
 *
 * Checksums of pages are computed with both marks as zeros, as SQLite sees the page. Another program may change the marks and a few more
 * fields of the header although it changes no row: the footer says that the file is a base, and records those fields.
 */
const USER_VERSION_AT = 60
const APPLICATION_ID_AT = 68
export const HEADER_BYTES = 100
const SQLITE_MAGIC = Buffer.from('SQLite format 3\0')
/** Not zero if the file moves its pages when rows are deleted. */
const AUTO_VACUUM_AT = 52

export function isSqlite(bytes: Buffer): boolean {
  return (
    bytes.length >= HEADER_BYTES && bytes.compare(SQLITE_MAGIC, 0, SQLITE_MAGIC.length, 0, SQLITE_MAGIC.length) === 0
  )
}

export function parsePageSize(header: Buffer): number {
  const size = header.readUInt16BE(16)
  return size === 1 ? 65_536 : size
}

export function hasAutoVacuum(header: Buffer): boolean {
  return header.readUInt32BE(AUTO_VACUUM_AT) !== 0
}

export interface Marks {
  userVersion: number
  checksum: number
}

/** Null for a file of another tool. */
export function parseMarks(header: Buffer): Marks | null {
  const checksum = header.readUInt32BE(APPLICATION_ID_AT)
  return checksum === 0 ? null : { userVersion: header.readUInt32BE(USER_VERSION_AT), checksum }
}

export function writeMarks(header: Buffer, checksum: number): void {
  header.writeUInt32BE(0, USER_VERSION_AT)
  header.writeUInt32BE(checksum === 0 ? 1 : checksum, APPLICATION_ID_AT)
}

/** Makes the first page what SQLite sees: without marks. */
export function clearMarks(firstPage: Uint8Array): void {
  firstPage.fill(0, USER_VERSION_AT, USER_VERSION_AT + 4)
  firstPage.fill(0, APPLICATION_ID_AT, APPLICATION_ID_AT + 4)
}

/** Makes the first page of another tool's file usable: without a write-ahead log, and with the number of its pages. */
export function normalizeHeader(firstPage: Buffer, pageCount: number): void {
  setRollbackJournal(firstPage)
  writePageCount(firstPage, pageCount)
}

/** The checksum in the marks, from the CRC-32 of the file with this field as zeros. */
export function toChecksum(crc: number): number {
  return crc === 0 ? 1 : crc
}

export interface Footer {
  pageSize: number
  pageCount: number
  /** The segment in which the log continues. */
  segment: number
  /** The checksum of the head that seals the segment before it; 0 if there was none. */
  previous: number
  /** The fields of the header as they were written. */
  header: HeaderFields
  /** The checksum of the footer. */
  checksum: number
}

export const FOOTER_BYTES = 48
const FOOTER_MAGIC = Buffer.from('studio pages 002', 'latin1')

/** What follows the pages. */
export function encodeTrailer(checksums: Uint32Array, footer: Omit<Footer, 'checksum'>): Buffer {
  const trailer = Buffer.alloc(measureTrailer(footer))
  for (let i = 0; i < checksums.length; i++) trailer.writeUInt32LE(checksums[i]!, i * 4)
  const end = trailer.subarray(trailer.length - FOOTER_BYTES)
  FOOTER_MAGIC.copy(end)
  end.writeUInt32LE(footer.pageSize, 16)
  end.writeUInt32LE(footer.pageCount, 20)
  end.writeUInt32LE(footer.segment, 24)
  end.writeUInt32LE(footer.previous, 28)
  end.writeUInt32LE(footer.header.changeCounter, 32)
  end.writeUInt32LE(footer.header.validFor, 36)
  end.writeUInt32LE(footer.header.version, 40)
  end.writeUInt32LE(crc32(end.subarray(0, FOOTER_BYTES - 4)), FOOTER_BYTES - 4)
  return trailer
}

/** Null if the bytes are no footer. */
export function decodeFooter(end: Buffer): Footer | null {
  if (end.length !== FOOTER_BYTES || end.compare(FOOTER_MAGIC, 0, FOOTER_MAGIC.length, 0, FOOTER_MAGIC.length) !== 0)
    return null
  const checksum = end.readUInt32LE(FOOTER_BYTES - 4)
  if (crc32(end.subarray(0, FOOTER_BYTES - 4)) !== checksum) return null
  const [pageSize, pageCount, segment, previous, changeCounter, validFor, version] = [16, 20, 24, 28, 32, 36, 40].map(
    (at) => end.readUInt32LE(at),
  ) as [number, number, number, number, number, number, number]
  return { pageSize, pageCount, segment, previous, header: { changeCounter, validFor, version }, checksum }
}

export function measureTrailer({ pageCount, pageSize }: Pick<Footer, 'pageCount' | 'pageSize'>): number {
  return Math.ceil((pageCount * 4 + FOOTER_BYTES) / pageSize) * pageSize
}

/** The CRC-32 of all pages together, from the CRC-32 of each. CRC-32 is linear, so the pages are not needed. */
export function combineChecksums(checksums: Uint32Array, pageSize: number): number {
  const shift = createShift(pageSize)
  let crc = 0
  for (const checksum of checksums) {
    crc =
      shift[crc & 0xff]! ^
      shift[256 + ((crc >>> 8) & 0xff)]! ^
      shift[512 + ((crc >>> 16) & 0xff)]! ^
      shift[768 + (crc >>> 24)]!
    crc = (crc ^ checksum) >>> 0
  }
  return crc
}

/** What a page of zeros does to a CRC-32, for each value of each of its bytes. */
function createShift(pageSize: number): Uint32Array {
  const zeros = Buffer.alloc(pageSize)
  const ofZero = crc32(zeros, 0)
  const ofBit = Array.from({ length: 32 }, (_, bit) => (crc32(zeros, (1 << bit) >>> 0) ^ ofZero) >>> 0)
  return Uint32Array.from({ length: 1_024 }, (_, i) => {
    let sum = 0
    for (let bit = 0; bit < 8; bit++) if ((i >> bit) & 1) sum ^= ofBit[(i >> 8) * 8 + bit]!
    return sum
  })
}
