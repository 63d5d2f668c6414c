import { crc32 } from '../../../kernel/crc32'
import { decodeEntry, type PageEntry } from './page-entry'

/**
 * A commit in the log: a head of 44 bytes and a payload. All numbers are little-endian.
 *
 * ```
 *  0  magic, 8 bytes                8  version, 1 byte · flags, 1 byte: 1 = the last record of its segment · 2 bytes of ff
 * 12  length of the payload        16  number of the segment   20  index in the segment, from 0
 * 24  checksum of the head before it, in this segment or the one before
 * 28  writer, 8 random bytes       36  checksum of the payload 40  checksum of bytes 0 to 39
 * ```
 * Later versions keep this layout, so that an older studio can distinguish a newer log from a damaged one.
 */
export const HEAD_BYTES = 44
/** Bytes that no payload contains, because payloads are masked. The first one does not repeat. */
export const MAGIC = Buffer.from('ff534c9ad317e46b', 'hex')
/** Version 1 was a log of statements, with another magic. */
const VERSION = 2
const SEALED = 1

/** The position of a record in the log. `previous` is the checksum of the head before it. */
export interface Link {
  segment: number
  index: number
  previous: number
}

export interface Head extends Link {
  version: number
  length: number
  /** No record of this segment follows it. */
  sealed: boolean
  payloadChecksum: number
  checksum: number
}

/** @param by `at` is the record's offset in the file. */
export function encodeRecord(
  link: Link,
  payload: Uint8Array,
  by: { writer: Uint8Array; sealed: boolean; at: number },
): Buffer {
  const written = HEAD_BYTES + payload.length
  const padding = by.sealed ? 0 : computePadding(by.at + written)
  const bytes = Buffer.allocUnsafe(written + padding)
  bytes.set(payload, HEAD_BYTES)
  bytes.fill(' ', written)
  bytes.set(MAGIC, 0)
  bytes.writeUInt8(VERSION, 8)
  bytes.writeUInt8(by.sealed ? SEALED : 0, 9)
  bytes.writeUInt16LE(0xffff, 10)
  bytes.writeUInt32LE(bytes.length - HEAD_BYTES, 12)
  bytes.writeUInt32LE(link.segment, 16)
  bytes.writeUInt32LE(link.index, 20)
  bytes.writeUInt32LE(link.previous, 24)
  bytes.set(by.writer, 28)
  bytes.writeUInt32LE(crc32(bytes.subarray(HEAD_BYTES)), 36)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 40)), 40)
  return bytes
}

export const SECTOR_BYTES = 512
/** A record fills at least this much of its first and last sector. Zeros there mean that the sector was never written. */
export const MIN_HOLE_BYTES = 8

/** The padding follows the last page of a commit. */
export function computePadding(end: number): number {
  const used = end % SECTOR_BYTES
  if (used > SECTOR_BYTES - MIN_HOLE_BYTES) return SECTOR_BYTES - used // up to the next sector
  return used > 0 && used < MIN_HOLE_BYTES ? MIN_HOLE_BYTES - used : 0
}

/**
 * Encodes the record at offset `from` again, for the end of a file of `at` bytes. It gets the same offset within its sector, after bytes
 * that look like interrupted appends.
 */
export function encodeRewrite(record: Buffer, { from, at }: { from: number; at: number }): Buffer {
  const shift = (((from - at) % SECTOR_BYTES) + SECTOR_BYTES) % SECTOR_BYTES
  const lead = shift > 0 && shift < MAGIC.length ? shift + SECTOR_BYTES : shift
  return Buffer.concat([Buffer.alloc(lead, MAGIC), record])
}

/** The head at offset `at`; null if there is no complete one. */
export function decodeHead(bytes: Buffer, at: number): Head | null {
  if (at + HEAD_BYTES > bytes.length || bytes.compare(MAGIC, 0, MAGIC.length, at, at + MAGIC.length) !== 0) return null
  const checksum = bytes.readUInt32LE(at + 40)
  if (crc32(bytes.subarray(at, at + 40)) !== checksum) return null
  return {
    version: bytes.readUInt8(at + 8),
    sealed: (bytes.readUInt8(at + 9) & SEALED) !== 0,
    length: bytes.readUInt32LE(at + 12),
    segment: bytes.readUInt32LE(at + 16),
    index: bytes.readUInt32LE(at + 20),
    previous: bytes.readUInt32LE(at + 24),
    payloadChecksum: bytes.readUInt32LE(at + 36),
    checksum,
  }
}

export function hasNewerVersion(head: Head): boolean {
  return head.version > VERSION
}

/** The payload that follows the head; null if it is incomplete or does not match its checksum. */
export function decodePayload(bytes: Buffer, at: number, head: Head): Buffer | null {
  const from = at + HEAD_BYTES
  if (from + head.length > bytes.length) return null
  const payload = bytes.subarray(from, from + head.length)
  return crc32(payload) === head.payloadChecksum ? payload : null
}

/**
 * The payload of a record is a line of text and what it announces:
 *
 * ```
 * pages 3 draft,workspace_version     a commit: the entries of three pages, and the names in its statements
 * offsets 7                           the end of a segment: where the entries of its pages are
 * ```
 */
export function encodeCommit(entries: readonly Uint8Array[], names: Iterable<string>): Buffer {
  return Buffer.concat([Buffer.from(`pages ${entries.length} ${[...names].join()}\n`), ...entries])
}

export interface LocatedEntry extends PageEntry {
  /** The offset in the payload. */
  at: number
}

export interface CommitPayload {
  names: string[]
  entries: LocatedEntry[]
}

/** Null if the payload is no commit. */
export function decodeCommit(payload: Buffer): CommitPayload | null {
  const { kind, count, rest, end } = parseLine(payload)
  if (kind !== 'pages') return null
  const entries: LocatedEntry[] = []
  let at = end
  for (let i = 0; i < count; i++) {
    const entry = decodeEntry(payload, at)
    if (entry === null) return null
    entries.push({ ...entry, at })
    at = entry.body.byteOffset - payload.byteOffset + entry.body.length
  }
  return { names: rest === '' ? [] : rest.split(','), entries }
}

/** The names in the statements of a commit, without its pages. */
export function readNames(payload: Buffer): string[] {
  const { kind, rest } = parseLine(payload)
  return kind === 'pages' ? rest.split(',') : []
}

/** The line that a payload begins with. */
export function parseLine(payload: Buffer): { kind: string; count: number; rest: string; end: number } {
  const end = payload.indexOf('\n') + 1
  const [kind = '', count = '', rest = ''] = payload.toString('utf8', 0, Math.max(0, end - 1)).split(' ')
  return { kind, count: Number(count), rest, end }
}
