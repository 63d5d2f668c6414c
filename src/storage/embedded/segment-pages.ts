import {
  type CommitPayload,
  decodeCommit,
  GrowingIndex,
  measureSeal,
  type PageIndex,
  SEAL_TAIL_BYTES,
  SealedIndex,
} from './commit-payload'
import { decodeHead, decodePayload, HEAD_BYTES } from './log-record'
import { decodeEntry, measureEntry, type PageEntry } from './page-entry'
import { scanSegment, startOfSegment, type WholeRecord } from './scan-segment'
import type { SegmentFile } from './segments'
import { damagedError } from './storage-errors'

/** Most entries are shorter, so that one read suffices. */
const PROBABLE_ENTRY_BYTES = 1_024

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

  /** The entry at an offset; null if there is none. */
  readEntry(offset: number): PageEntry | null {
    let bytes = this.file.read(offset, offset + PROBABLE_ENTRY_BYTES)
    if (bytes.length < 12) return null
    const length = measureEntry(bytes)
    if (length > bytes.length) bytes = this.file.read(offset, offset + length)
    return decodeEntry(bytes, 0)
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
