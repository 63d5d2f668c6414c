/** The pages of a database, as SQLite sees them. */
export interface PageStorage {
  readonly pageSize: number
  /** The page with this number, from 1. Callers do not change it. */
  read(page: number): Uint8Array
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
  /** Why a page could not be read. SQLite gets no error, so no result after it can be trusted. */
  failure: unknown = null
  reads = 0
  #epoch = 0
  readonly #storage: PageStorage

  constructor(storage: PageStorage) {
    this.#storage = storage
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
      const bytes = this.changed.get(page + 1) ?? this.#storage.read(page + 1)
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
    const copy = Buffer.allocUnsafeSlow(pageSize)
    copy.set(bytes)
    this.changed.set(at / pageSize + 1, copy)
  }

  /** SQLite asks for the counter only when it has been made to forget what it has read: then its cache is out of date. */
  #nextEpoch(): Uint8Array {
    const bytes = new Uint8Array(CHANGE_COUNTER.to - CHANGE_COUNTER.from).fill(0xff)
    new DataView(bytes.buffer).setUint32(0, ++this.#epoch)
    return bytes
  }
}
