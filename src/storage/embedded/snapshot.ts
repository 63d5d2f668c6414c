import { closeSync, fstatSync, openSync, read, readSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { fileError, refuseDevice } from '../files'
import { damaged, foreignJournal, interruptedElsewhere, notADatabase } from './damage'
import { areOfOneEra, isBefore } from './segments'

/**
 * A snapshot is a plain SQLite file. Two fields of its header that SQLite leaves to applications carry our marks, both
 * big-endian: `user_version` the number of the segment in which the log goes on, `application_id` the checksum of the
 * whole file with these four bytes as zeros. A file with neither is of another origin.
 */
const SEGMENT_AT = 60
const CHECKSUM_AT = 68
const HEADER_BYTES = 100
const SQLITE_MAGIC = Buffer.from('SQLite format 3\0')
/** Journal modes of a file that is written and read: 2 would be a write-ahead log, which memory has no place for. */
const MODES_AT = 18

/** Which file it is: another one at the same path, or the same one changed, is not the same. */
export interface Stamp {
  ino: number
  size: number
  mtimeMs: number
}

export function isSame(one: Stamp | null, other: Stamp | null): boolean {
  return one?.ino === other?.ino && one?.size === other?.size && one?.mtimeMs === other?.mtimeMs
}

export interface Snapshot {
  bytes: Buffer
  stamp: Stamp
  /** The segment that goes on from it; null for a file without our marks. */
  segment: number | null
}

/** The file at `path`, whole and checked; null where there is none. */
export async function readSnapshot(path: string): Promise<Snapshot | null> {
  const fd = openToRead(path)
  if (fd === null) return null
  try {
    const stats = fstatSync(fd)
    const { bytes, checksum } = await readWhole(fd, stats.size)
    const segment = requireSound(bytes, checksum, path)
    return { bytes, stamp: stats, segment }
  } catch (error) {
    throw fileError(error, path)
  } finally {
    closeSync(fd)
  }
}

/** The segment named by the snapshot that is there now; null where it has none, or there is none. */
export function segmentNamedAt(path: string): number | null {
  return marksAt(path)?.segment ?? null
}

/** The marks of the snapshot that is there now, as they stand in its header; null where it has none, or there is none. */
export function marksAt(path: string): { segment: number; checksum: number } | null {
  const header = headerAt(path)
  const segment = header && segmentNamedIn(header)
  return header && segment !== null ? { segment, checksum: header.readUInt32BE(CHECKSUM_AT) } : null
}

function headerAt(path: string): Buffer | null {
  const fd = openToRead(path)
  if (fd === null) return null
  try {
    const header = Buffer.alloc(HEADER_BYTES)
    return readSync(fd, header, 0, HEADER_BYTES, 0) === HEADER_BYTES ? header : null
  } catch (error) {
    throw fileError(error, path)
  } finally {
    closeSync(fd)
  }
}

/** Whether the snapshot that is there is of the same database as one that goes on in `segment`, and stands for less. */
export function isOlder(path: string, segment: number): boolean {
  const named = segmentNamedAt(path)
  return named !== null && areOfOneEra(named, segment) && isBefore(named, segment)
}

/** Of the file that is at `path` now; null where there is none. */
export function stampOf(path: string): Stamp | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    refuseDevice(path, found)
    return found ?? null
  } catch (error) {
    throw fileError(error, path)
  }
}

/** Puts the marks into the bytes of a SQLite file. */
export function mark(bytes: Uint8Array, segment: number): Uint8Array {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  view.writeUInt32BE(segment, SEGMENT_AT)
  view.writeUInt32BE(checksumOf(view), CHECKSUM_AT)
  return bytes
}

/** Takes the marks out of them: what is to stand for itself, without a log. */
export function unmark(bytes: Uint8Array): Uint8Array {
  bytes.fill(0, SEGMENT_AT, SEGMENT_AT + 4)
  bytes.fill(0, CHECKSUM_AT, CHECKSUM_AT + 4)
  return bytes
}

export function isSqlite(bytes: Buffer): boolean {
  return (
    bytes.length >= HEADER_BYTES && bytes.compare(SQLITE_MAGIC, 0, SQLITE_MAGIC.length, 0, SQLITE_MAGIC.length) === 0
  )
}

export function isMarked(bytes: Buffer): boolean {
  return segmentNamedIn(bytes) !== null
}

export function fitsItsChecksum(bytes: Buffer): boolean {
  return bytes.readUInt32BE(CHECKSUM_AT) === checksumOf(bytes)
}

/** Makes the bytes of a file that another tool has left fit for memory. */
export function withoutWriteAheadLog(bytes: Buffer): Buffer {
  bytes.fill(1, MODES_AT, MODES_AT + 2)
  return bytes
}

/** The checksum that the marks of a sound file carry. Never 0, which stands for a file without marks. */
function checksumOf(bytes: Buffer): number {
  return checksumAfter(crc32(bytes.subarray(HEADER_BYTES), headChecksum(bytes)))
}

function requireSound(bytes: Buffer, checksum: number, path: string): number | null {
  if (bytes.length === 0) return null // made empty, as by `touch`
  if (!isSqlite(bytes)) throw notADatabase(path)
  const segment = segmentNamedIn(bytes)
  if (segment !== null && bytes.readUInt32BE(CHECKSUM_AT) !== checksum) {
    throw damaged(path, null, 'it is not as studio wrote it')
  }
  if (segment === null) {
    if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) throw foreignJournal(path)
    if (isHot(`${path}-journal`)) throw interruptedElsewhere(path)
    withoutWriteAheadLog(bytes)
  }
  return segment
}

/** Whether a rollback journal still has to be played back: one that is done with is gone, empty, or begins with a zero. */
function isHot(journal: string): boolean {
  const fd = openToRead(journal)
  if (fd === null) return false
  try {
    const first = Buffer.alloc(1)
    return readSync(fd, first, 0, 1, 0) === 1 && first[0] !== 0
  } finally {
    closeSync(fd)
  }
}

function segmentNamedIn(header: Buffer): number | null {
  return header.readUInt32BE(CHECKSUM_AT) === 0 ? null : header.readUInt32BE(SEGMENT_AT)
}

const FOUR_ZEROS = Buffer.alloc(4)

function headChecksum(bytes: Buffer): number {
  const before = crc32(FOUR_ZEROS, crc32(bytes.subarray(0, CHECKSUM_AT)))
  return crc32(bytes.subarray(CHECKSUM_AT + 4, HEADER_BYTES), before)
}

function checksumAfter(crc: number): number {
  return crc === 0 ? 1 : crc
}

const READ_AT_ONCE_BYTES = 2 * 1024 * 1024
const READS_UNDER_WAY = 2
const readInto = promisify(read)

/** Each stretch is summed while the next ones are read, so that the check costs next to nothing. */
async function readWhole(fd: number, size: number): Promise<{ bytes: Buffer; checksum: number }> {
  const bytes = Buffer.allocUnsafeSlow(size)
  const reading: Promise<number>[] = []
  let asked = 0
  const askOn = () => {
    if (asked >= size) return
    const end = Math.min(asked + READ_AT_ONCE_BYTES, size)
    reading.push(readStretch(fd, bytes, { from: asked, to: end }))
    asked = end
  }
  for (let i = 0; i < READS_UNDER_WAY; i++) askOn()
  let crc = 0
  let done = 0
  try {
    while (reading.length > 0) {
      const end = await reading[0]!
      reading.shift()
      askOn()
      if (done === 0 && end >= HEADER_BYTES) crc = headChecksum(bytes)
      crc = crc32(bytes.subarray(Math.max(done, HEADER_BYTES), end), crc)
      const isCut = end < Math.min(done + READ_AT_ONCE_BYTES, size)
      done = end
      if (isCut) break // while it was read: no longer what it was
    }
  } finally {
    await Promise.allSettled(reading) // the file stays open until then
  }
  return { bytes: bytes.subarray(0, done), checksum: checksumAfter(crc) }
}

/** Up to where it could be read. */
async function readStretch(fd: number, into: Buffer, { from, to }: { from: number; to: number }): Promise<number> {
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
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw fileError(error, path)
  }
}
