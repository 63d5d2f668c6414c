import { parsePageCount } from './base-format'
import type { PageStorage } from './paged-file'

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
