import {
  HEAD_BYTES,
  type Head,
  headAt,
  isOfNewerVersion,
  LEAST_HOLE_BYTES,
  type Link,
  MAGIC,
  payloadAt,
  SECTOR_BYTES,
} from './record'

/** How far a segment has been read: the record that belongs next, and the first byte that is not read yet. */
export interface Place extends Link {
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

export interface Scan {
  /** The commits, in their order. */
  records: WholeRecord[]
  /** Behind the last of them. */
  place: Place
  /** The last of them closes the segment. */
  sealed: boolean
  /** What no interrupted append can explain. What stands behind it is not in `records`. */
  flaw: Flaw | null
  newerVersion: boolean
}

export function startOf(segment: number): Place {
  return { segment, index: 0, previous: 0, offset: 0 }
}

/**
 * Reads the commits out of the bytes that stand at `from.offset` in a segment.
 *
 * A record counts when it names the one before it, so of two writers that went on from the same commit the first counts
 * and the other never happened. Appends that were cut off leave beginnings of records, which are passed over. All else is a
 * flaw: a record that is whole in length but not in content, bytes that are none, a record whose predecessor is missing.
 */
export function scan(bytes: Buffer, from: Place): Scan {
  const result: Scan = { records: [], place: { ...from }, sealed: false, flaw: null, newerVersion: false }
  const flaw = (at: number, what: string) => {
    result.flaw = { offset: from.offset + at, what }
    return result
  }
  for (let at = 0; at < bytes.length; ) {
    const record = wholeRecordAt(bytes, at, from.offset)
    if (record === null) {
      const next = nextMagic(bytes, at + 1)
      const what = flawOf(bytes.subarray(at, next), from.offset + at)
      if (what !== null) return flaw(at, what)
      at = next
      continue
    }
    const { head } = record
    if (isOfNewerVersion(head)) {
      result.newerVersion = true
      return flaw(at, 'a newer version of studio wrote here')
    }
    if (result.sealed && !isOvertaken(head, result.place)) return flaw(at, 'a record follows the end of the log')
    at += HEAD_BYTES + head.length
    if (isNext(head, result.place)) accept(record, from.offset + at, result)
    else if (!isOvertaken(head, result.place)) return flaw(record.offset - from.offset, 'a record before it is missing')
  }
  return result
}

export function wholeRecordAt(bytes: Buffer, at: number, base: number): WholeRecord | null {
  const head = headAt(bytes, at)
  const payload = head && payloadAt(bytes, at, head)
  return payload && { head: head!, payload, offset: base + at }
}

export function nextMagic(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(MAGIC, from)
  return at < 0 ? bytes.length : at
}

function isNext(head: Head, place: Place): boolean {
  return head.segment === place.segment && head.index === place.index && head.previous === place.previous
}

/** The record of a writer that went on from a commit which another had followed already. */
function isOvertaken(head: Head, place: Place): boolean {
  return head.segment === place.segment && head.index < place.index
}

function accept(record: WholeRecord, end: number, result: Scan): void {
  const { head } = record
  result.records.push(record)
  result.place = { segment: head.segment, index: head.index + 1, previous: head.checksum, offset: end }
  result.sealed = head.sealed
}

/** One behind the other, of which the last may go on behind its magic. */
const BEGINNINGS_OF_HEADS = /^(?:\xffS?)*(?:\xffSL.*)?$/s

/** Null where an append that was cut off explains the bytes, which run up to the next record or the end of the file. */
function flawOf(piece: Buffer, offset: number): string | null {
  if (piece.length < HEAD_BYTES) {
    if (BEGINNINGS_OF_HEADS.test(piece.toString('latin1'))) return null
  } else {
    const head = headAt(piece, 0)
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
    return stretch.length >= LEAST_HOLE_BYTES && stretch.every((byte) => byte === 0)
  })
}
