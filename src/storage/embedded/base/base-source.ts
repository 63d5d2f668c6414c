import { setImmediate } from 'node:timers/promises'
import { crc32 } from '../../../kernel/crc32'
import { parsePageCount } from '../log/page-entry'
import { clearMarks, parsePageSize } from './base-format'

/** Pages from which a base is written. */
export interface BaseSource {
  readonly pageSize: number
  readonly pageCount: number
  /** Fills `bytes` with the pages from `first` as SQLite sees them. */
  readInto(bytes: Uint8Array, first: number): void
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
    readInto: (target, first) => void bytes.copy(target, 0, (first - 1) * pageSize),
    checksumOf: () => null,
  }
}

/** Reads the pages in pieces of about a megabyte. The next piece overwrites the bytes: memory that waits to be collected adds up. */
export function* readPieces(source: BaseSource): Generator<{ first: number; bytes: Buffer }> {
  const { pageSize, pageCount } = source
  const most = Math.max(1, Math.floor(PIECE_BYTES / pageSize))
  const piece = Buffer.allocUnsafeSlow(Math.min(most, pageCount) * pageSize)
  for (let first = 1; first <= pageCount; first += most) {
    const bytes = piece.subarray(0, (pageCount - first + 1) * pageSize)
    source.readInto(bytes, first)
    yield { first, bytes }
  }
}

const PIECE_BYTES = 1024 * 1024

export async function computeChecksums(source: BaseSource): Promise<Uint32Array> {
  const checksums = new Uint32Array(source.pageCount)
  const bytes = Buffer.allocUnsafeSlow(source.pageSize)
  for (let page = 1; page <= source.pageCount; page++) {
    checksums[page - 1] = source.checksumOf(page) ?? computeChecksum(page)
    if (page % 1_024 === 0) await setImmediate() // lets the holder of the write lock refresh it
  }
  return checksums

  function computeChecksum(page: number): number {
    source.readInto(bytes, page)
    return crc32(bytes)
  }
}

/** The pages after a change that is only in memory. */
export function withChanges(source: BaseSource, changed: Pick<ReadonlyMap<number, Uint8Array>, 'get'>): BaseSource {
  const { pageSize } = source
  const header = changed.get(1) ?? readPage(source, 1)
  const pageCount = parsePageCount(header)
  return {
    pageSize,
    pageCount,
    readInto(bytes, first) {
      readKnown(source, bytes, first)
      for (let at = 0; at < bytes.length; at += pageSize) {
        const page = changed.get(first + at / pageSize)
        if (page !== undefined) bytes.set(page, at)
      }
    },
    checksumOf: (page) => (changed.get(page) || page > source.pageCount ? null : source.checksumOf(page)),
    close: () => source.close?.(),
  }
}

/** Fills `bytes` with the pages from `first`, with zeros after the last one. */
export function readKnown(source: BaseSource, bytes: Uint8Array, first: number): void {
  const known = Math.max(0, Math.min(bytes.length, (source.pageCount - first + 1) * source.pageSize))
  if (known > 0) source.readInto(bytes.subarray(0, known), first)
  bytes.fill(0, known)
}

export function readPage(source: BaseSource, page: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(source.pageSize)
  source.readInto(bytes, page)
  return bytes
}
