import { crc32 } from '../../../kernel/crc32'

/**
 * A page in the log, as its difference from the image before it: a head of 12 bytes and the changed ranges.
 *
 * ```
 *  0  number of the page, from 1    4  checksum of the page after the change    8  length of the ranges · depth, 1 byte
 * ```
 * A range is its offset and its length (2 bytes each, in words of four bytes) and its bytes. Entries of depth 0 change a page of zeros, so
 * they stand alone; an entry of depth n needs the n entries before it.
 *
 * Everything is masked: it contains neither long runs of zeros, which mean that a sector was never written, nor the magic of a record.
 */
export const ENTRY_HEAD_BYTES = 12
/** A page is read with at most this many entries. */
const MAX_DEPTH = 12
/** Two changes with fewer equal words between them become one range. */
const MIN_GAP_WORDS = 2

export interface PageEntry {
  page: number
  checksum: number
  depth: number
  /** The ranges, still masked. */
  body: Uint8Array
}

/** A page with the number of entries that it depends on. */
export interface PageImage {
  bytes: Uint8Array
  depth: number
}

/** The entry of a changed page, and its depth. Null if it has not changed. */
export function encodePage(
  page: number,
  bytes: Uint8Array,
  before: PageImage | null,
): { entry: Buffer; depth: number } | null {
  let depth = before === null ? 0 : before.depth + 1
  let ranges = before && findRanges(before.bytes, bytes)
  if (ranges?.length === 0) return null
  if (ranges === null || depth > MAX_DEPTH || measure(ranges) > bytes.length / 2) {
    depth = 0
    ranges = findRanges(ZEROS.subarray(0, bytes.length), bytes)
  }
  const length = measure(ranges)
  const entry = Buffer.allocUnsafe(ENTRY_HEAD_BYTES + length)
  const checksum = crc32(bytes)
  let at = ENTRY_HEAD_BYTES
  for (let i = 0; i < ranges.length; i += 2) {
    const [from, to] = [ranges[i]!, ranges[i + 1]!]
    entry.writeUInt16LE(from, at)
    entry.writeUInt16LE(to - from, at + 2)
    entry.set(bytes.subarray(from * 4, to * 4), at + 4)
    at += 4 + (to - from) * 4
  }
  entry.writeUInt32LE(page, 0)
  entry.writeUInt32LE(checksum, 4)
  entry.writeUInt32LE(((length << 8) | depth) >>> 0, 8)
  mask(entry.subarray(0, ENTRY_HEAD_BYTES), 0)
  mask(entry.subarray(ENTRY_HEAD_BYTES), checksum)
  return { entry, depth }
}

/** The entry that begins at `at`; null if it is not complete. */
export function decodeEntry(bytes: Buffer, at: number): PageEntry | null {
  if (at + ENTRY_HEAD_BYTES > bytes.length) return null
  const page = (bytes.readUInt32LE(at) ^ MASK_WORDS[0]!) >>> 0
  const checksum = (bytes.readUInt32LE(at + 4) ^ MASK_WORDS[1]!) >>> 0
  const rest = (bytes.readUInt32LE(at + 8) ^ MASK_WORDS[2]!) >>> 0
  const end = at + ENTRY_HEAD_BYTES + (rest >>> 8)
  if (end > bytes.length) return null
  return { page, checksum, depth: rest & 0xff, body: bytes.subarray(at + ENTRY_HEAD_BYTES, end) }
}

/** The length of the entry that begins with these bytes. */
export function measureEntry(head: Buffer): number {
  return ENTRY_HEAD_BYTES + (((head.readUInt32LE(8) ^ MASK_WORDS[2]!) >>> 0) >>> 8)
}

/** Memory for the ranges of one entry at a time. A rare one does not fit. */
const RANGES_MEMORY = Buffer.allocUnsafeSlow(16_384)

/** Changes the page as the entry says. False if the entry does not fit. */
export function applyEntry(into: Uint8Array, { body, checksum }: PageEntry): boolean {
  const ranges = body.length > RANGES_MEMORY.length ? Buffer.from(body) : RANGES_MEMORY.subarray(0, body.length)
  ranges.set(body)
  mask(ranges, checksum)
  for (let at = 0; at + 4 <= ranges.length; ) {
    const from = ranges.readUInt16LE(at) * 4
    const length = ranges.readUInt16LE(at + 2) * 4
    if (at + 4 + length > ranges.length || from + length > into.length) return false
    into.set(ranges.subarray(at + 4, at + 4 + length), from)
    at += 4 + length
  }
  return true
}

export const MAX_PAGE_BYTES = 65_536
const ZEROS = new Uint8Array(MAX_PAGE_BYTES)

/** The changed ranges in words: begin, end, begin, end, … */
function findRanges(before: Uint8Array, after: Uint8Array): number[] {
  const [a, b] = [toWords(before), toWords(after)]
  const ranges: number[] = []
  for (let i = 0; i < b.length; i++) {
    if (a[i] === b[i]) continue
    const last = ranges.length - 1
    if (last > 0 && i - ranges[last]! < MIN_GAP_WORDS) ranges[last] = i + 1
    else ranges.push(i, i + 1)
  }
  return ranges
}

function toWords(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
}

function measure(ranges: readonly number[]): number {
  let words = 0
  for (let i = 0; i < ranges.length; i += 2) words += 1 + ranges[i + 1]! - ranges[i]!
  return words * 4
}

/** Pseudorandom words. They are part of the format. */
const MASK_WORDS = createMask(1_024)

function createMask(length: number): Uint32Array {
  let state = 0x9e3779b9
  const words = new Uint32Array(length)
  for (let i = 0; i < length; i++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    words[i] = state
  }
  return words
}

/** Masks bytes in place, or unmasks them. The seed differs from page to page, so that no content of a page cancels the mask. */
export function mask(bytes: Buffer, seed: number): void {
  const whole = bytes.length & ~3
  if (bytes.byteOffset % 4 === 0) {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, whole >> 2)
    for (let i = 0; i < words.length; i++) words[i]! ^= MASK_WORDS[i & 1_023]! ^ seed
  } else {
    for (let at = 0; at < whole; at += 4)
      bytes.writeUInt32LE((bytes.readUInt32LE(at) ^ MASK_WORDS[(at >> 2) & 1_023]! ^ seed) >>> 0, at)
  }
}

const CHANGE_COUNTER_AT = 24
const PAGE_COUNT_AT = 28
/** The value of the change counter for which the page count is valid. */
const VALID_FOR_AT = 92

/** The number of pages of the database, from its first page; 0 if the page does not say. */
export function parsePageCount(firstPage: Uint8Array): number {
  const header = Buffer.from(firstPage.buffer, firstPage.byteOffset, VALID_FOR_AT + 4)
  const isValid = header.readUInt32BE(CHANGE_COUNTER_AT) === header.readUInt32BE(VALID_FOR_AT)
  return isValid ? header.readUInt32BE(PAGE_COUNT_AT) : 0
}

export function writePageCount(firstPage: Buffer, pageCount: number): void {
  firstPage.writeUInt32BE(pageCount, PAGE_COUNT_AT)
  firstPage.writeUInt32BE(firstPage.readUInt32BE(CHANGE_COUNTER_AT), VALID_FOR_AT)
}
