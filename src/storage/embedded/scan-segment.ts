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

/** How far a segment has been read: the record that belongs next, and the first byte that is not read yet. */
export interface LogCursor extends Link {
  offset: number
}

export interface WholeRecord {
  head: Head
  payload: Buffer
  offset: number
}

export interface Flaw {
  /** In the file, of the first byte that cannot be right. */
  offset: number
  what: string
}

export interface ScanResult {
  /** The commits, in their order. */
  records: WholeRecord[]
  /** Behind the last of them. */
  cursor: LogCursor
  /** The last of them closes the segment. */
  isSealed: boolean
  /** What no interrupted append can explain. What stands behind it is not in `records`. */
  flaw: Flaw | null
  hasNewerVersion: boolean
}

export function startOfSegment(segment: number): LogCursor {
  return { segment, index: 0, previous: 0, offset: 0 }
}

/**
 * Reads the commits out of the bytes that stand at `from.offset` in a segment.
 *
 * A record counts when it names the one before it, so of two writers that went on from the same commit the first counts
 * and the other never happened. Appends that were cut off leave beginnings of records, which are passed over. All else is a
 * flaw: a record that is whole in length but not in content, bytes that are none, a record whose predecessor is missing.
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

function isNext(head: Head, place: LogCursor): boolean {
  return head.segment === place.segment && head.index === place.index && head.previous === place.previous
}

/** The record of a writer that went on from a commit which another had followed already. */
function isSuperseded(head: Head, place: LogCursor): boolean {
  return head.segment === place.segment && head.index < place.index
}

function acceptRecord(record: WholeRecord, end: number, result: ScanResult): void {
  const { head } = record
  result.records.push(record)
  result.cursor = { segment: head.segment, index: head.index + 1, previous: head.checksum, offset: end }
  result.isSealed = head.sealed
}

/** One behind the other, of which the last may go on behind its magic. */
const PARTIAL_HEADS = /^(?:\xffS?)*(?:\xffSL.*)?$/s

/** Null where an append that was cut off explains the bytes, which run up to the next record or the end of the file. */
function describeFlaw(piece: Buffer, offset: number): string | null {
  if (piece.length < HEAD_BYTES) {
    if (PARTIAL_HEADS.test(piece.toString('latin1'))) return null
  } else {
    const head = decodeHead(piece, 0)
    if (head !== null && piece.length < HEAD_BYTES + head.length) return null
  }
  return hasHole(piece, offset) ? null : 'what stands there is not what was written'
}

/**
 * Sectors that a power cut has kept from the disk read as zeros. A record has no such stretch of its own: JSON is free
 * of zeros, and a head is shorter than a sector.
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
