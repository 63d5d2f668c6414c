import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { clearMarks, parsePageSize } from './base-format'
import { parsePageCount } from './page-entry'

/** Pages from which a base is written. */
export interface BaseSource {
  readonly pageSize: number
  readonly pageCount: number
  /** Pages as SQLite sees them. */
  readRange(first: number, count: number): Buffer
  /** The checksum of a page, if it is known. */
  checksumOf(page: number): number | null
  /** Called when all pages are read: Windows does not replace a file that is open. */
  close?(): void
}

/** A SQLite file in memory. */
export function toBaseSource(file: Uint8Array): BaseSource {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  clearMarks(bytes)
  const pageSize = parsePageSize(bytes)
  return {
    pageSize,
    pageCount: bytes.length / pageSize,
    readRange: (first, count) => Buffer.from(bytes.subarray((first - 1) * pageSize, (first - 1 + count) * pageSize)),
    checksumOf: () => null,
  }
}

/** Reads the pages in pieces of about a megabyte. */
export function* readPieces(source: BaseSource): Generator<{ first: number; bytes: Buffer }> {
  const most = Math.max(1, Math.floor(PIECE_BYTES / source.pageSize))
  for (let first = 1; first <= source.pageCount; first += most)
    yield { first, bytes: source.readRange(first, Math.min(most, source.pageCount - first + 1)) }
}

const PIECE_BYTES = 1024 * 1024

export async function computeChecksums(source: BaseSource): Promise<Uint32Array> {
  const checksums = new Uint32Array(source.pageCount)
  for (let page = 1; page <= source.pageCount; page++) {
    checksums[page - 1] = source.checksumOf(page) ?? crc32(source.readRange(page, 1))
    if (page % 1_024 === 0) await setImmediate() // lets the holder of the write lock refresh it
  }
  return checksums
}

/** The pages after a change that is only in memory. */
export function withChanges(source: BaseSource, changed: ReadonlyMap<number, Uint8Array>): BaseSource {
  const { pageSize } = source
  if (changed.size === 0) return source
  const pageCount = parsePageCount(changed.get(1) ?? source.readRange(1, 1))
  return {
    pageSize,
    pageCount,
    readRange(first, count) {
      const bytes = Buffer.alloc(count * pageSize)
      const known = Math.max(0, Math.min(count, source.pageCount - first + 1))
      if (known > 0) source.readRange(first, known).copy(bytes)
      for (let page = first; page < first + count; page++)
        if (changed.has(page)) bytes.set(changed.get(page)!, (page - first) * pageSize)
      return bytes
    },
    checksumOf: (page) => (changed.has(page) || page > source.pageCount ? null : source.checksumOf(page)),
    close: () => source.close?.(),
  }
}
