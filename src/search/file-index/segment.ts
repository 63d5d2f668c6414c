import { letterBits } from '../rules/edit-distance'
import type { Entity } from '../services/entity'
import type { EntityType } from '../services/search-index'
import { ByteReader } from './byte-codec'
import { FrameFile, type IndexDisk } from './frame-file'
import { estimateMemory, type PostingList, readPostingCount, readPostings } from './posting-list'
import {
  decodeRecord,
  ENTITY_KEY_PREFIX,
  entityKey,
  FINGERPRINT_BYTES,
  FORMS_LIST_KEY_PREFIX,
  formKey,
  PAGE_BYTES,
  RECORDS_PER_PAGE,
  type SegmentFacts,
  SPAN_BYTES,
} from './segment-format'
import { formsListKey, type ListedForms, readFormsOfLength, selectSimilar } from './similar-forms'
import { SortedTable } from './sorted-table'

/** A segment, with the documents that were changed or removed since it was written. */
export interface LiveSegment {
  segment: Segment
  deleted: DeletedDocuments
}

export function countLive({ segment, deleted }: LiveSegment): number {
  return segment.documents - deleted.count
}

/** A bit set of documents. */
export class DeletedDocuments {
  readonly #bits: Uint8Array
  readonly count: number

  /** @param bits a byte for eight documents, the first in its lowest bit; may be shorter than the segment. */
  constructor(bits: Uint8Array) {
    this.#bits = bits
    let count = 0
    for (const byte of bits) for (let rest = byte; rest !== 0; rest &= rest - 1) count += 1
    this.count = count
  }

  static decode(base64: string): DeletedDocuments {
    return new DeletedDocuments(Buffer.from(base64, 'base64'))
  }

  has(document: number): boolean {
    return ((this.#bits[document >> 3] ?? 0) & (1 << (document & 7))) !== 0
  }

  with(documents: readonly number[]): DeletedDocuments {
    const highest = documents.reduce((most, document) => Math.max(most, document), -1)
    const bits = new Uint8Array(Math.max(this.#bits.length, (highest >> 3) + 1))
    bits.set(this.#bits)
    for (const document of documents) bits[document >> 3]! |= 1 << (document & 7)
    return new DeletedDocuments(bits)
  }

  encode(): string {
    return Buffer.from(this.#bits).toString('base64')
  }
}

/** The location of an entity in a segment. */
export interface DocumentLocation {
  document: number
  /** Identifies its source. */
  fingerprint: Buffer
}

/** The memory for cached lists, and as much again for records. */
const MAX_CACHE_BYTES = 2_000_000
/** Shorter lists are mostly stored in the table, so caching them is not worth it. */
const MIN_CACHED_LENGTH = 32
/** The overhead of a record. */
const RECORD_BYTES = 300

/** A segment: a file that never changes. Its parts are read when they are needed. */
export class Segment {
  readonly facts: SegmentFacts
  readonly #frames: FrameFile
  readonly #table: SortedTable
  readonly #pages = new Map<number, Buffer>()
  readonly #formsByLength = new Map<string, ListedForms | null>()
  #users = 0
  #isClosed = false
  readonly #lists = new LruCache<string, PostingList>(MAX_CACHE_BYTES, estimateMemory)
  readonly #records = new LruCache<number, { entity: Entity; bytes: number }>(MAX_CACHE_BYTES, ({ bytes }) => bytes)

  constructor(path: string, facts: SegmentFacts, disk?: IndexDisk) {
    this.facts = facts
    this.#frames = new FrameFile(path, disk)
    this.#table = new SortedTable(this.#frames, facts.table)
  }

  get documents(): number {
    return this.facts.documents
  }

  /** The number of documents with the key, including deleted ones. */
  countDocuments(key: string): number {
    const value = this.#table.get(key)
    return value === null ? 0 : readPostingCount(value)
  }

  postings(key: string): PostingList | null {
    const known = this.#lists.get(key)
    if (known) return known
    const value = this.#table.get(key)
    const list = value && readPostings(this.#frames, value)
    return list && list.documents.length >= MIN_CACHED_LENGTH ? this.#lists.set(key, list) : list
  }

  /** All lists whose keys begin with `prefix`, with the rest of the key. */
  *postingsWithPrefix(prefix: string): Generator<[rest: string, list: PostingList]> {
    for (const { key, value } of this.#table.entriesWithPrefix(prefix)) {
      yield [key.slice(prefix.length), readPostings(this.#frames, value)]
    }
  }

  /** The rests of these keys, without reading the lists. */
  *keysWithPrefix(prefix: string): Generator<string> {
    for (const { key } of this.#table.entriesWithPrefix(prefix)) yield key.slice(prefix.length)
  }

  /** Every form of a word that begins with the prefix. */
  forms(beginning: string): readonly string[] {
    return [...this.keysWithPrefix(formKey(beginning))].map((rest) => beginning + rest)
  }

  /** The forms that may be so many edits away from the word, and others. */
  similarForms(word: string, edits: number): string[] {
    const letters = letterBits(word)
    const similar: string[] = []
    for (let length = word.length - edits; length <= word.length + edits; length++) {
      for (const isWide of [false, true]) {
        const listed = this.#formsOfLength(length, isWide)
        if (listed !== null) similar.push(...selectSimilar(listed, letters, edits))
      }
    }
    return similar
  }

  /** They are remembered once they have been read, because a service corrects words again and again. */
  #formsOfLength(length: number, isWide: boolean): ListedForms | null {
    const key = formsListKey(length, isWide)
    const known = this.#formsByLength.get(key)
    if (known !== undefined) return known
    const value = this.#table.get(FORMS_LIST_KEY_PREFIX + key)
    const listed = value && readFormsOfLength(this.#frames, value, { length, isWide })
    this.#formsByLength.set(key, listed)
    return listed
  }

  writes(form: string): boolean {
    return this.#table.get(formKey(form))?.[0] === 1
  }

  record(document: number): Entity {
    const known = this.#records.get(document)
    if (known) return known.entity
    const page = this.#page(Math.floor(document / RECORDS_PER_PAGE))
    const at = (document % RECORDS_PER_PAGE) * SPAN_BYTES
    const offset = page.readDoubleLE(at)
    const length = page.readUInt32LE(at + 8)
    const entity = decodeRecord(this.#frames.read({ offset, length }))
    return this.#records.set(document, { entity, bytes: length + RECORD_BYTES }).entity
  }

  locate(type: EntityType, id: number): DocumentLocation | null {
    const value = this.#table.get(entityKey(type, id))
    return value && decodeLocation(value)
  }

  /** All entities, by key without the first character. */
  *locations(): Generator<[entity: string, place: DocumentLocation]> {
    for (const { key, value } of this.#table.entriesWithPrefix(ENTITY_KEY_PREFIX))
      yield [key.slice(ENTITY_KEY_PREFIX.length), decodeLocation(value)]
  }

  /** Keeps the file open until `release`, although `close` is called meanwhile. A search waits between its steps. */
  retain(): void {
    this.#users += 1
  }

  release(): void {
    this.#users -= 1
    if (this.#isClosed && this.#users === 0) this.#frames.close()
  }

  close(): void {
    this.#isClosed = true
    if (this.#users === 0) this.#frames.close()
  }

  #page(number: number): Buffer {
    const known = this.#pages.get(number)
    if (known) return known
    const offset = this.facts.pages + number * (PAGE_BYTES + CHECKSUM_BYTES)
    const page = this.#frames.read({ offset, length: PAGE_BYTES })
    this.#pages.set(number, page)
    return page
  }
}

const CHECKSUM_BYTES = 4

function decodeLocation(value: Buffer): DocumentLocation {
  const reader = new ByteReader(value)
  return { document: reader.number(), fingerprint: reader.bytes(FINGERPRINT_BYTES) }
}

/** A cache of limited size that drops the least recently used values. Users repeat words, which find the same documents. */
export class LruCache<Key, Value> {
  readonly #most: number
  readonly #sizeOf: (value: Value) => number
  readonly #values = new Map<Key, Value>()
  #size = 0

  constructor(most: number, sizeOf: (value: Value) => number) {
    this.#most = most
    this.#sizeOf = sizeOf
  }

  get(key: Key): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  /** Adds a value that is not in the cache. */
  set(key: Key, value: Value): Value {
    this.#values.set(key, value)
    this.#size += this.#sizeOf(value)
    for (const [oldest, dropped] of this.#values) {
      if (this.#size <= this.#most) break
      this.#values.delete(oldest)
      this.#size -= this.#sizeOf(dropped)
    }
    return value
  }
}
