import {
  decodeHead,
  decodePayload,
  HEAD_BYTES,
  type Head,
  hasNewerVersion,
  type Link,
  MAGIC,
  MIN_HOLE_BYTES,
  SECTOR_BYTES,
} from './log-record'

/** How far a segment has been read: the position of the next record, and the offset of the next byte. */
export interface LogCursor extends Link {
  offset: number
}

export interface WholeRecord {
  head: Head
  payload: Buffer
  offset: number
}

export interface Flaw {
  /** The offset in the file of the first wrong byte. */
  offset: number
  what: string
}

export interface ScanResult {
  /** The commits, in order. */
  records: WholeRecord[]
  /** The position after the last of them. */
  cursor: LogCursor
  /** Whether the last of them seals the segment. */
  isSealed: boolean
  /** Damage that no interrupted append explains. Later records are not in `records`. */
  flaw: Flaw | null
  hasNewerVersion: boolean
}

/** @param previous the checksum of the head that seals the segment before; 0 for the first one of a database. */
export function startOfSegment(segment: number, previous: number): LogCursor {
  return { segment, index: 0, previous, offset: 0 }
}

/**
 * Reads the commits from the bytes at `from.offset` of a segment.
 *
 * A record counts if it names the record before it. Of two writers that appended after the same commit, only the first counts.
 * Interrupted appends leave beginnings of records, which are skipped. Anything else is a flaw: a record of full length with a wrong
 * checksum, bytes that are no record, a record whose predecessor is missing.
 */
export function scanSegment(bytes: Buffer, from: LogCursor): ScanResult {
  const result: ScanResult = { records: [], cursor: { ...from }, isSealed: false, flaw: null, hasNewerVersion: false }
  const flaw = (at: number, what: string) => {
    result.flaw = { offset: from.offset + at, what }
    return result
  }
  for (let at = 0; at < bytes.length; ) {
    const record = decodeRecord(bytes, at, from.offset)
    if (record === null) {
      const next = findNextMagic(bytes, at + 1)
      const what = describeFlaw(bytes.subarray(at, next), from.offset + at)
      if (what !== null) return flaw(at, what)
      at = next
      continue
    }
    const { head } = record
    if (hasNewerVersion(head)) {
      result.hasNewerVersion = true
      return flaw(at, 'a newer version of studio wrote here')
    }
    if (result.isSealed && !isSuperseded(head, result.cursor)) return flaw(at, 'a record follows the end of the log')
    at += HEAD_BYTES + head.length
    if (isNext(head, result.cursor)) acceptRecord(record, from.offset + at, result)
    else if (!isSuperseded(head, result.cursor))
      return flaw(record.offset - from.offset, 'a record before it is missing')
  }
  return result
}

export function decodeRecord(bytes: Buffer, at: number, base: number): WholeRecord | null {
  const head = decodeHead(bytes, at)
  const payload = head && decodePayload(bytes, at, head)
  return payload && { head: head!, payload, offset: base + at }
}

export function findNextMagic(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(MAGIC, from)
  return at < 0 ? bytes.length : at
}

function isNext(head: Head, cursor: LogCursor): boolean {
  return head.segment === cursor.segment && head.index === cursor.index && head.previous === cursor.previous
}

/** The record of a writer that appended after a commit which another record had followed already. */
function isSuperseded(head: Head, cursor: LogCursor): boolean {
  return head.segment === cursor.segment && head.index < cursor.index
}

function acceptRecord(record: WholeRecord, end: number, result: ScanResult): void {
  const { head } = record
  result.records.push(record)
  result.cursor = { segment: head.segment, index: head.index + 1, previous: head.checksum, offset: end }
  result.isSealed = head.sealed
}

/** Whether the bytes are a sequence of interrupted heads, of which only the last continues after its magic. */
function isTornHead(piece: Buffer): boolean {
  for (let at = 0; at < piece.length; ) {
    let same = 0
    while (same < MAGIC.length && at + same < piece.length && piece[at + same] === MAGIC[same]) same++
    if (same === 0) return false
    if (same === MAGIC.length) return true
    at += same
  }
  return true
}

/** Null if an interrupted append explains the bytes, which end at the next record or the end of the file. */
function describeFlaw(piece: Buffer, offset: number): string | null {
  if (piece.length < HEAD_BYTES) {
    if (isTornHead(piece) || piece.every((byte) => byte === 0)) return null
  } else {
    const head = decodeHead(piece, 0)
    if (head !== null && piece.length < HEAD_BYTES + head.length) return null
  }
  return hasHole(piece, offset) ? null : 'the bytes are not what was written'
}

/**
 * Sectors that a power cut prevented from being written read as zeros. A record contains no such range: payloads are masked, and a head
 * is shorter than a sector.
 */
function hasHole(piece: Buffer, offset: number): boolean {
  const firstSector = (SECTOR_BYTES - (offset % SECTOR_BYTES)) % SECTOR_BYTES
  const starts = [0]
  for (let at = firstSector; at < piece.length; at += SECTOR_BYTES) if (at > 0) starts.push(at)
  return starts.some((start) => {
    const toSector = SECTOR_BYTES - ((offset + start) % SECTOR_BYTES)
    const stretch = piece.subarray(start, start + toSector)
    return stretch.length >= MIN_HOLE_BYTES && stretch.every((byte) => byte === 0)
  })
}
