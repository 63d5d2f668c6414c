import { closeSync, fstatSync, openSync, read, readSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { errorCodeOf } from '../../kernel/errors'
import { requireRegularFile, toFileError } from '../services/files'
import { isBefore, isSameEra } from './segments'
import { damagedError, foreignJournalError, interruptedChangeError, notADatabaseError } from './storage-errors'

/**
 * A snapshot is a plain SQLite file. Two fields of its header that SQLite leaves to applications contain studio's marks, both big-endian:
 * `user_version` is the number of the segment in which the log continues, `application_id` is the checksum of the file with these four
 * bytes as zeros. Another tool created a file without marks.
 */
const SEGMENT_AT = 60
const CHECKSUM_AT = 68
const HEADER_BYTES = 100
const SQLITE_MAGIC = Buffer.from('SQLite format 3\0')
/** The journal modes for writing and reading: 2 would be a write-ahead log, which a database in memory cannot have. */
const JOURNAL_MODES_AT = 18

/** Identifies a version of a file. It changes if the file is replaced or modified. */
export interface FileStamp {
  ino: number
  size: number
  mtimeMs: number
}

export function isSameFile(one: FileStamp | null, other: FileStamp | null): boolean {
  return one?.ino === other?.ino && one?.size === other?.size && one?.mtimeMs === other?.mtimeMs
}

export interface Snapshot {
  bytes: Buffer
  stamp: FileStamp
  /** The segment in which the log continues; null for a file without marks. */
  segment: number | null
}

/** Reads the file at `path` and verifies its checksum. Null if there is none. */
export async function readSnapshot(path: string): Promise<Snapshot | null> {
  const fd = openToRead(path)
  if (fd === null) return null
  try {
    const stats = fstatSync(fd)
    const { bytes, checksum } = await readFile(fd, stats.size)
    const segment = requireSound(bytes, checksum, path)
    return { bytes, stamp: stats, segment }
  } catch (error) {
    throw toFileError(error, path)
  } finally {
    closeSync(fd)
  }
}

/** The segment that the current snapshot names; null if it has no marks, or there is none. */
export function readNamedSegment(path: string): number | null {
  return readMarks(path)?.segment ?? null
}

/** The marks in the header of the current snapshot; null if it has none, or there is no snapshot. */
export function readMarks(path: string): { segment: number; checksum: number } | null {
  const header = readHeader(path)
  const segment = header && parseNamedSegment(header)
  return header && segment !== null ? { segment, checksum: header.readUInt32BE(CHECKSUM_AT) } : null
}

function readHeader(path: string): Buffer | null {
  const fd = openToRead(path)
  if (fd === null) return null
  try {
    const header = Buffer.alloc(HEADER_BYTES)
    return readSync(fd, header, 0, HEADER_BYTES, 0) === HEADER_BYTES ? header : null
  } catch (error) {
    throw toFileError(error, path)
  } finally {
    closeSync(fd)
  }
}

/** Whether the current snapshot belongs to the same database as one with a log from `segment`, and is older. */
export function isOlderSnapshot(path: string, segment: number): boolean {
  const named = readNamedSegment(path)
  return named !== null && isSameEra(named, segment) && isBefore(named, segment)
}

/** The stamp of the file at `path`; null if there is none. */
export function readStamp(path: string): FileStamp | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    requireRegularFile(path, found)
    return found ?? null
  } catch (error) {
    throw toFileError(error, path)
  }
}

/** Writes the marks into the bytes of a SQLite file. */
export function writeMarks(bytes: Uint8Array, segment: number): Uint8Array {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  view.writeUInt32BE(segment, SEGMENT_AT)
  view.writeUInt32BE(computeChecksum(view), CHECKSUM_AT)
  return bytes
}

/** Removes the marks, for a file without a log. */
export function clearMarks(bytes: Uint8Array): Uint8Array {
  bytes.fill(0, SEGMENT_AT, SEGMENT_AT + 4)
  bytes.fill(0, CHECKSUM_AT, CHECKSUM_AT + 4)
  return bytes
}

export function isSqlite(bytes: Buffer): boolean {
  return (
    bytes.length >= HEADER_BYTES && bytes.compare(SQLITE_MAGIC, 0, SQLITE_MAGIC.length, 0, SQLITE_MAGIC.length) === 0
  )
}

export function hasMarks(bytes: Buffer): boolean {
  return parseNamedSegment(bytes) !== null
}

export function hasValidChecksum(bytes: Buffer): boolean {
  return bytes.readUInt32BE(CHECKSUM_AT) === computeChecksum(bytes)
}

/** Makes a file of another tool usable in memory. */
export function clearJournalMode(bytes: Buffer): Buffer {
  bytes.fill(1, JOURNAL_MODES_AT, JOURNAL_MODES_AT + 2)
  return bytes
}

/** The checksum in the marks of an undamaged file. Never 0, which means a file without marks. */
function computeChecksum(bytes: Buffer): number {
  return toChecksum(crc32(bytes.subarray(HEADER_BYTES), computeHeaderCrc(bytes)))
}

function requireSound(bytes: Buffer, checksum: number, path: string): number | null {
  if (bytes.length === 0) return null // an empty file, for example created by `touch`
  if (!isSqlite(bytes)) throw notADatabaseError(path)
  const segment = parseNamedSegment(bytes)
  if (segment !== null && bytes.readUInt32BE(CHECKSUM_AT) !== checksum) {
    throw damagedError(path, null, 'its checksum does not match')
  }
  if (segment === null) {
    if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) throw foreignJournalError(path)
    if (isHotJournal(`${path}-journal`)) throw interruptedChangeError(path)
    clearJournalMode(bytes)
  }
  return segment
}

/** Whether a rollback journal must still be played back. A finished one is missing, empty, or begins with a zero. */
function isHotJournal(journal: string): boolean {
  const fd = openToRead(journal)
  if (fd === null) return false
  try {
    const first = Buffer.alloc(1)
    return readSync(fd, first, 0, 1, 0) === 1 && first[0] !== 0
  } finally {
    closeSync(fd)
  }
}

function parseNamedSegment(header: Buffer): number | null {
  return header.readUInt32BE(CHECKSUM_AT) === 0 ? null : header.readUInt32BE(SEGMENT_AT)
}

const FOUR_ZEROS = Buffer.alloc(4)

function computeHeaderCrc(bytes: Buffer): number {
  const before = crc32(FOUR_ZEROS, crc32(bytes.subarray(0, CHECKSUM_AT)))
  return crc32(bytes.subarray(CHECKSUM_AT + 4, HEADER_BYTES), before)
}

function toChecksum(crc: number): number {
  return crc === 0 ? 1 : crc
}

const CHUNK_BYTES = 2 * 1024 * 1024
const CONCURRENT_READS = 2
const readInto = promisify(read)

/** Computes the checksum of each chunk while the next ones are read, so that the check costs almost no time. */
async function readFile(fd: number, size: number): Promise<{ bytes: Buffer; checksum: number }> {
  const bytes = Buffer.allocUnsafeSlow(size)
  const reading: Promise<number>[] = []
  let requested = 0
  const requestNext = () => {
    if (requested >= size) return
    const end = Math.min(requested + CHUNK_BYTES, size)
    reading.push(readChunk(fd, bytes, { from: requested, to: end }))
    requested = end
  }
  for (let i = 0; i < CONCURRENT_READS; i++) requestNext()
  let crc = 0
  let checked = 0
  try {
    while (reading.length > 0) {
      const end = await reading[0]!
      reading.shift()
      requestNext()
      if (checked === 0 && end >= HEADER_BYTES) crc = computeHeaderCrc(bytes)
      crc = crc32(bytes.subarray(Math.max(checked, HEADER_BYTES), end), crc)
      const isCut = end < Math.min(checked + CHUNK_BYTES, size)
      checked = end
      if (isCut) break // another process truncated the file
    }
  } finally {
    await Promise.allSettled(reading) // the file must stay open until then
  }
  return { bytes: bytes.subarray(0, checked), checksum: toChecksum(crc) }
}

/** Returns the end of what could be read. */
async function readChunk(fd: number, into: Buffer, { from, to }: { from: number; to: number }): Promise<number> {
  for (let at = from; at < to; ) {
    const { bytesRead } = await readInto(fd, into, at, to - at, at)
    if (bytesRead === 0) return at
    at += bytesRead
  }
  return to
}

function openToRead(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return null
    throw toFileError(error, path)
  }
}
