import { damagedError } from '../storage-errors'
import {
  type CommitPayload,
  computePadding,
  decodeCommit,
  decodeHead,
  decodePayload,
  HEAD_BYTES,
  parseLine,
} from './log-record'
import { decodeEntry, ENTRY_HEAD_BYTES, mask, measureEntry, type PageEntry } from './page-entry'
import { scanSegment, startOfSegment, type WholeRecord } from './scan-segment'
import type { SegmentFile } from './segments'

/** Most entries are shorter, so that one read suffices. */
const PROBABLE_ENTRY_BYTES = 1_024
/** Memory for one entry at a time. A rare one does not fit. */
const ENTRY_MEMORY = Buffer.allocUnsafeSlow(16_384)

/** A segment, and where its pages are. */
export class SegmentPages {
  readonly number: number
  /** The checksum of the head that seals the segment before it. */
  readonly previous: number
  file: SegmentFile
  index: PageIndex

  constructor(file: SegmentFile, { number, previous, index }: { number: number; previous: number; index: PageIndex }) {
    this.file = file
    this.number = number
    this.previous = previous
    this.index = index
  }

  /** The entry at an offset, until the next call; null if there is none. */
  readEntry(offset: number): PageEntry | null {
    const { file } = this
    const bytes = file.read(offset, offset + PROBABLE_ENTRY_BYTES, ENTRY_MEMORY)
    if (bytes.length < ENTRY_HEAD_BYTES) return null
    const length = measureEntry(bytes)
    return decodeEntry(length > bytes.length ? file.read(offset, offset + length, ENTRY_MEMORY) : bytes, 0)
  }

  /**
   * Finds the pages of the commits up to `end` again. A record that was written twice, because the disk did not confirm it, may be lost at
   * the first place later.
   */
  rescan(end: number): void {
    const found = scanSegment(this.file.read(0, this.file.size), startOfSegment(this.number, this.previous))
    const index = new GrowingIndex()
    for (const record of found.records) if (record.head.index < end) addToIndex(index, record, this.file.path)
    this.index = index
  }
}

/** Adds the pages of a commit. Returns the commit; null for a record that ends the segment. */
export function addToIndex(index: GrowingIndex, record: WholeRecord, file: string): CommitPayload | null {
  if (record.head.sealed) return null
  const commit = decodeCommit(record.payload)
  if (commit === null) throw damagedError(file, record.offset, 'the commit there cannot be read')
  for (const { page, depth, at } of commit.entries) index.add(page, record.offset + HEAD_BYTES + at, depth)
  return commit
}

/** The index at the end of a segment, and the checksum of the head of its record; null if the last bytes are no index. */
export function readSeal(file: SegmentFile, number: number): { index: SealedIndex; checksum: number } | null {
  const { size } = file
  const length = measureSeal(file.read(Math.max(0, size - SEAL_TAIL_BYTES), size))
  if (length === null || length > size) return null
  const bytes = file.read(size - length, size)
  const head = decodeHead(bytes, 0)
  if (!head?.sealed || head.segment !== number) return null
  const payload = decodePayload(bytes, 0, head)
  const index = payload && SealedIndex.decode(payload)
  return index && { index, checksum: head.checksum }
}

/** Where the entries of a page are in a segment, oldest first. */
export interface PageChain {
  offsets: number[]
  /** Whether the first entry needs no earlier one. Otherwise it changes what the page was before the segment. */
  isWhole: boolean
}

export interface PageIndex {
  find(page: number): PageChain | null
  pages(): Iterable<number>
}

/** The index of a segment that grows. */
export class GrowingIndex implements PageIndex {
  readonly #chains = new Map<number, PageChain>()

  add(page: number, offset: number, depth: number): void {
    const chain = depth === 0 ? undefined : this.#chains.get(page)
    if (chain) chain.offsets.push(offset)
    else this.#chains.set(page, { offsets: [offset], isWhole: depth === 0 })
  }

  find(page: number): PageChain | null {
    return this.#chains.get(page) ?? null
  }

  pages(): Iterable<number> {
    return this.#chains.keys()
  }

  /** The payload of the record at offset `at`, which ends the segment. Its last bytes say where the record begins. */
  encode(at: number): Buffer {
    const words: number[] = []
    const chains = [...this.#chains].sort(([one], [other]) => one - other)
    for (const [page, { offsets, isWhole }] of chains)
      for (const [i, offset] of offsets.entries()) words.push(((page << 1) | Number(i === 0 && isWhole)) >>> 0, offset)
    const body = Buffer.from(Uint32Array.from(words).buffer) // no word is zero, so that it needs no mask
    const line = Buffer.from(`offsets ${words.length / 2}\n`)
    const length = HEAD_BYTES + line.length + body.length + INDEX_END_BYTES
    const padding = computePadding(at + length + INDEX_END.length)
    const end = Buffer.alloc(INDEX_END_BYTES)
    end.writeUInt32LE(length + padding)
    mask(end, END_SEED)
    return Buffer.concat([line, body, Buffer.alloc(padding, ' '), end, INDEX_END])
  }
}

/** The length of the record in masked form; the text that marks the end follows it. */
const INDEX_END_BYTES = 4
const END_SEED = 0x5ea1ed
const INDEX_END = Buffer.from('end of segment\n')
export const SEAL_TAIL_BYTES = INDEX_END_BYTES + INDEX_END.length

/** The length of the sealing record that ends with these bytes; null if they are not the end of one. */
export function measureSeal(tail: Buffer): number | null {
  if (tail.length < SEAL_TAIL_BYTES || !tail.subarray(INDEX_END_BYTES).equals(INDEX_END)) return null
  const length = Buffer.from(tail.subarray(0, INDEX_END_BYTES))
  mask(length, END_SEED)
  return length.readUInt32LE() + INDEX_END.length
}

/** The index of a segment that is closed, as its last record contains it. */
export class SealedIndex implements PageIndex {
  /** Alternates pages and offsets. A page is encoded as twice its number, plus one for a whole entry. */
  readonly #words: Uint32Array

  private constructor(words: Uint32Array) {
    this.#words = words
  }

  static decode(payload: Buffer): SealedIndex | null {
    const { kind, count, end } = parseLine(payload)
    if (kind !== 'offsets' || end + count * 8 > payload.length) return null
    const body = Buffer.from(new ArrayBuffer(count * 8))
    payload.copy(body, 0, end)
    return new SealedIndex(new Uint32Array(body.buffer))
  }

  find(page: number): PageChain | null {
    const words = this.#words
    let [low, high] = [0, words.length / 2]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (words[middle * 2]! >>> 1 < page) low = middle + 1
      else high = middle
    }
    const offsets: number[] = []
    const isWhole = low * 2 < words.length && (words[low * 2]! & 1) === 1
    for (let i = low; i * 2 < words.length && words[i * 2]! >>> 1 === page; i++) offsets.push(words[i * 2 + 1]!)
    return offsets.length === 0 ? null : { offsets, isWhole }
  }

  *pages(): Iterable<number> {
    let last = 0
    for (let i = 0; i < this.#words.length; i += 2) {
      const page = this.#words[i]! >>> 1
      if (page !== last) yield page
      last = page
    }
  }
}
