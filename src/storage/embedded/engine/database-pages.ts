import { crc32 } from '../../../kernel/crc32'
import type { BaseFile } from '../base/base-file'
import { type BaseSource, readKnown } from '../base/base-source'
import { applyEntry, type PageEntry, type PageImage, parsePageCount } from '../log/page-entry'
import type { SegmentPages } from '../log/segment-pages'
import { damagedError } from '../storage-errors'
import type { ScratchPages } from './scratch-pages'

/** The pages of a database, as SQLite sees them. */
export interface PageStorage {
  readonly pageSize: number
  /** The page with this number, from 1, until the next call. Callers do not change it. */
  read(page: number): Uint8Array
}

/** Pages as they are, whether or not they match their checksums. */
export function toPageStorage(source: BaseSource): PageStorage {
  const [memory, zeros] = [Buffer.allocUnsafeSlow(source.pageSize), new Uint8Array(source.pageSize)]
  return {
    pageSize: source.pageSize,
    read(page) {
      if (page > source.pageCount) return zeros
      source.readInto(memory, page)
      return memory
    },
  }
}

/** SQLite takes the size of the database from its header, so the file may claim any size. This one works with every page size. */
const CLAIMED_BYTES = 2 ** 40
/** Where SQLite reads the change counter, to see whether its cache is out of date. */
const CHANGE_COUNTER = { from: 24, to: 40 }

/**
 * Replaces the byte array that sql.js opens as a database. The file system of sql.js calls only `length`, `slice`, `subarray` and
 * `set` of it. A test checks what is relied on.
 */
export class PagedFile {
  readonly length = CLAIMED_BYTES
  /** The pages that SQLite has written since they were last taken. */
  readonly changed = new Map<number, Uint8Array>()
  /** Where they are instead, if they may be larger than the memory. */
  readonly scratch: ScratchPages | null
  /** Why a page could not be read or written. SQLite gets no error, so no result after it can be trusted. */
  failure: unknown = null
  reads = 0
  #epoch = 0
  readonly #storage: PageStorage

  constructor(storage: PageStorage, scratch: ScratchPages | null = null) {
    this.#storage = storage
    this.scratch = scratch
  }

  /** Called once, when sql.js copies the array into its file system. */
  slice(): this {
    return this
  }

  subarray(from: number, to: number): Uint8Array {
    this.reads++
    if (from === CHANGE_COUNTER.from && to === CHANGE_COUNTER.to) return this.#nextEpoch()
    const { pageSize } = this.#storage
    const page = Math.floor(from / pageSize)
    try {
      const bytes = (this.scratch ?? this.changed).get(page + 1) ?? this.#storage.read(page + 1)
      if (to - from === pageSize) return bytes
      return bytes.subarray(from - page * pageSize, to - page * pageSize)
    } catch (error) {
      this.failure ??= error
      return new Uint8Array(to - from)
    }
  }

  set(bytes: Uint8Array, at: number): void {
    const { pageSize } = this.#storage
    if (at % pageSize !== 0 || bytes.length !== pageSize) throw new Error('SQLite did not write a whole page')
    const page = at / pageSize + 1
    if (this.scratch === null) {
      const copy = Buffer.allocUnsafeSlow(pageSize)
      copy.set(bytes)
      this.changed.set(page, copy)
      return
    }
    try {
      this.scratch.set(page, bytes)
    } catch (error) {
      this.failure ??= error
    }
  }

  /** SQLite asks for the counter only when it has been made to forget what it has read: then its cache is out of date. */
  #nextEpoch(): Uint8Array {
    const bytes = new Uint8Array(CHANGE_COUNTER.to - CHANGE_COUNTER.from).fill(0xff)
    new DataView(bytes.buffer).setUint32(0, ++this.#epoch)
    return bytes
  }
}

/** What a page is made of, and where its last part is. */
interface Origin {
  file: string
  offset: number
}

/** The pages of a base and its log, with a cache. */
export class LoggedPages implements PageStorage {
  #base: BaseFile
  readonly #segments: () => readonly SegmentPages[]
  readonly #cacheBytes: number
  /** The page that was not used for the longest time comes first. */
  readonly #cache = new Map<number, PageImage>()
  /** The memory of a page that has left the cache, for the next one: else reading a large database fills memory faster than it is freed. */
  #spare: Uint8Array | undefined
  /** The index of the first record that does not count, in the last segment. */
  readonly #end: () => number

  constructor(
    base: BaseFile,
    log: { segments(): readonly SegmentPages[]; end(): number },
    { cacheBytes }: { cacheBytes: number },
  ) {
    this.#base = base
    this.#segments = log.segments
    this.#end = log.end
    this.#cacheBytes = cacheBytes
  }

  get base(): BaseFile {
    return this.#base
  }

  /** Continues on a base that contains the first segments of the log. The pages are the same. */
  replaceBase(base: BaseFile): void {
    this.#base.closeReplaced()
    this.#base = base
  }

  get pageSize(): number {
    return this.#base.pageSize
  }

  get pageCount(): number {
    return parsePageCount(this.read(1))
  }

  read(page: number): Uint8Array {
    return this.readImage(page)?.bytes ?? new Uint8Array(this.pageSize)
  }

  /** The page until the next call, null if it was never written. Throws `database_damaged` if it does not match its checksum. */
  readImage(page: number): PageImage | null {
    const cached = this.#cache.get(page)
    if (cached !== undefined) {
      this.#cache.delete(page)
      this.#cache.set(page, cached)
      return cached
    }
    const image = this.#assemble(page)
    if (image !== null) this.keep(page, image)
    return image
  }

  /** Adds an image to the cache. */
  keep(page: number, image: PageImage): void {
    this.#cache.delete(page)
    this.#cache.set(page, image)
    if (this.#cache.size * this.pageSize <= this.#cacheBytes) return
    const [oldest] = this.#cache
    this.#cache.delete(oldest![0])
    this.#spare = oldest![1].bytes
  }

  /** Called for the pages that other processes have changed. */
  forget(pages: Iterable<number>): void {
    for (const page of pages) this.#cache.delete(page)
  }

  /** The pages as they are now, to be read in order. */
  toBaseSource(): BaseSource {
    const { pageSize, pageCount } = this
    const base = this.#base
    const logged = new Set(this.#segments().flatMap(({ index }) => [...index.pages()]))
    return {
      pageSize,
      pageCount,
      readInto: (bytes, first) => {
        readKnown(base, bytes, first)
        for (let at = 0; at < bytes.length; at += pageSize) {
          const page = first + at / pageSize
          if (logged.has(page)) bytes.set(this.read(page), at)
        }
      },
      checksumOf: (page) => (logged.has(page) || page > base.pageCount ? null : base.checksumOf(page)),
      close: () => base.close(),
    }
  }

  #assemble(page: number): PageImage | null {
    const image = this.#tryAssemble(page)
    if (image === null || 'depth' in image) return image
    const [segments, end] = [this.#segments(), this.#end()]
    for (const [i, segment] of segments.entries())
      segment.rescan(i === segments.length - 1 ? end : Number.POSITIVE_INFINITY)
    const again = this.#tryAssemble(page)
    if (again === null || 'depth' in again) return again
    throw damagedError(again.file, again.offset, 'the page there does not match its checksum')
  }

  /** The origin of a page that does not match its checksum, if there is one. */
  #tryAssemble(page: number): PageImage | Origin | null {
    const parts = this.#findParts(page)
    const last = parts.entries.at(-1)
    const memory = this.#spare ?? Buffer.allocUnsafeSlow(this.pageSize)
    this.#spare = undefined
    const fromBase = parts.isWhole ? null : this.#base.read(page, memory)
    if (last === undefined) return fromBase && { bytes: fromBase, depth: 0 }
    const bytes = fromBase ?? memory.fill(0)
    let entry: PageEntry | null = null
    for (const { segment, offset } of parts.entries) {
      entry = segment.readEntry(offset)
      if (entry === null || entry.page !== page || !applyEntry(bytes, entry)) return { file: segment.file.path, offset }
    }
    if (entry!.checksum !== crc32(bytes)) return { file: last.segment.file.path, offset: last.offset }
    return { bytes, depth: entry!.depth }
  }

  /** The entries that make up the page, oldest first. */
  #findParts(page: number): { entries: { segment: SegmentPages; offset: number }[]; isWhole: boolean } {
    const entries: { segment: SegmentPages; offset: number }[] = []
    const segments = this.#segments()
    for (let i = segments.length - 1; i >= 0; i--) {
      const segment = segments[i]!
      const chain = segment.index.find(page)
      if (chain === null) continue
      entries.unshift(...chain.offsets.map((offset) => ({ segment, offset })))
      if (chain.isWhole) return { entries, isWhole: true }
    }
    return { entries, isWhole: false }
  }
}

/** Replaces paged access where sql.js does not allow it: the whole database is in memory, and commits are found by comparison. */
export class WholeFile {
  readonly #storage: PageStorage

  constructor(storage: PageStorage) {
    this.#storage = storage
  }

  readAll(): Uint8Array {
    const { pageSize } = this.#storage
    const pageCount = parsePageCount(this.#storage.read(1))
    const bytes = new Uint8Array(pageCount * pageSize)
    for (let page = 1; page <= pageCount; page++) bytes.set(this.#storage.read(page), (page - 1) * pageSize)
    return bytes
  }

  /** The pages of a SQLite file that differ from those that were read. */
  findChanges(file: Uint8Array): Map<number, Uint8Array> {
    const { pageSize } = this.#storage
    const changed = new Map<number, Uint8Array>()
    for (let page = 1; page * pageSize <= file.length; page++) {
      const bytes = file.slice((page - 1) * pageSize, page * pageSize)
      if (Buffer.compare(bytes, this.#storage.read(page)) !== 0) changed.set(page, bytes)
    }
    return changed
  }
}
