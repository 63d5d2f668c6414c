import { crc32 } from 'node:zlib'

/**
 * A commit in the log: a head of 40 bytes and a payload of JSON. All numbers are little-endian.
 *
 * ```
 *  0  magic, 3 bytes ff 53 4c, which JSON never contains · version, 1 byte
 *  4  length of the payload     8  number of the segment   12  index in the segment, from 0
 * 16  checksum of the head before it, 0 for the first      20  flags: 1 = the last record of its segment
 * 24  writer, 8 random bytes
 * 32  checksum of the payload  36  checksum of bytes 0 to 35
 * ```
 * Later versions keep this layout, so that an older studio can distinguish a newer log from a damaged one.
 */
export const HEAD_BYTES = 40
export const MAGIC = Buffer.from('\xffSL', 'latin1')
const VERSION = 1
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
  payload: string,
  by: { writer: Uint8Array; sealed: boolean; at: number },
): Buffer {
  const written = HEAD_BYTES + Buffer.byteLength(payload)
  const bytes = Buffer.allocUnsafe(written + computePadding(by.at + written))
  const length = bytes.length - HEAD_BYTES
  bytes.write(payload, HEAD_BYTES)
  bytes.fill(' ', written)
  bytes.set(MAGIC, 0)
  bytes.writeUInt8(VERSION, 3)
  bytes.writeUInt32LE(length, 4)
  bytes.writeUInt32LE(link.segment, 8)
  bytes.writeUInt32LE(link.index, 12)
  bytes.writeUInt32LE(link.previous, 16)
  bytes.writeUInt32LE(by.sealed ? SEALED : 0, 20)
  bytes.set(by.writer, 24)
  bytes.writeUInt32LE(crc32(bytes.subarray(HEAD_BYTES)), 32)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 36)), 36)
  return bytes
}

export const SECTOR_BYTES = 512
/** A record fills at least this much of its first and last sector. Zeros there mean that the sector was never written. */
export const MIN_HOLE_BYTES = 8

/** The padding is spaces, which may follow JSON. */
function computePadding(end: number): number {
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
  const checksum = bytes.readUInt32LE(at + 36)
  if (crc32(bytes.subarray(at, at + 36)) !== checksum) return null
  return {
    version: bytes.readUInt8(at + 3),
    length: bytes.readUInt32LE(at + 4),
    segment: bytes.readUInt32LE(at + 8),
    index: bytes.readUInt32LE(at + 12),
    previous: bytes.readUInt32LE(at + 16),
    sealed: bytes.readUInt32LE(at + 20) === SEALED,
    payloadChecksum: bytes.readUInt32LE(at + 32),
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
