import { closeSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** Where a frame's content stands in its file; its checksum, four bytes, stands behind it. */
export interface Span {
  offset: number
  length: number
}

const CHECKSUM_BYTES = 4
/** What is written at once: most files are small, a whole index is not. */
const MIN_BUFFER_BYTES = 16 * 1024
const MAX_BUFFER_BYTES = 1024 * 1024

/** Writes a file that is a row of frames, each with its checksum. */
export class FrameWriter {
  readonly #fd: number
  readonly #disk: IndexDisk
  #stage = Buffer.allocUnsafe(MIN_BUFFER_BYTES)
  #staged = 0
  #offset = 0

  constructor(path: string, disk: IndexDisk) {
    this.#disk = disk
    this.#fd = disk.create(path)
  }

  /** How long the file is when all is written. */
  get length(): number {
    return this.#offset
  }

  write(content: Buffer | string): Span {
    const length = typeof content === 'string' ? Buffer.byteLength(content) : content.length
    this.#makeRoomFor(length + CHECKSUM_BYTES)
    const at = this.#staged
    if (typeof content === 'string') this.#stage.write(content, at)
    else content.copy(this.#stage, at)
    this.#stage.writeUInt32LE(crc32(this.#stage.subarray(at, at + length)), at + length)
    const span = { offset: this.#offset, length }
    this.#staged += length + CHECKSUM_BYTES
    this.#offset += length + CHECKSUM_BYTES
    return span
  }

  close(): void {
    try {
      this.#flush()
    } finally {
      this.#disk.close(this.#fd)
    }
  }

  /** Gives it up where something has gone wrong. */
  abandon(): void {
    this.#disk.close(this.#fd)
  }

  #makeRoomFor(bytes: number): void {
    if (this.#staged + bytes <= this.#stage.length) return
    if (this.#staged + bytes > MAX_BUFFER_BYTES) this.#flush()
    const needed = this.#staged + bytes
    if (needed <= this.#stage.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, Math.min(MAX_BUFFER_BYTES, 4 * this.#stage.length)))
    this.#stage.copy(larger, 0, 0, this.#staged)
    this.#stage = larger
  }

  #flush(): void {
    if (this.#staged > 0) this.#disk.append(this.#fd, this.#stage.subarray(0, this.#staged))
    this.#staged = 0
  }
}

/** A file of the index is not what was written; all of it is made anew from the database then. */
export class DamagedIndexError extends Error {
  override readonly name = 'DamagedIndex'
}

/** Reads frames where they stand. */
export class FrameFile {
  readonly path: string
  readonly #fd: number

  /** Throws `ENOENT` where there is none. */
  constructor(path: string) {
    this.path = path
    this.#fd = openSync(path, 'r')
  }

  read({ offset, length }: Span): Buffer {
    const bytes = Buffer.allocUnsafe(length + CHECKSUM_BYTES)
    if (readSync(this.#fd, bytes, 0, bytes.length, offset) !== bytes.length) {
      throw new DamagedIndexError(`${this.path} ends before byte ${offset + bytes.length}`)
    }
    const content = bytes.subarray(0, length)
    if (crc32(content) !== bytes.readUInt32LE(length))
      throw new DamagedIndexError(`${this.path} is damaged at byte ${offset}`)
    return content
  }

  close(): void {
    closeSync(this.#fd)
  }
}

/** All that the index does to a disk. A test puts one in its place that is full, or whose process dies between two calls. */
export interface IndexDisk {
  makeFolder(path: string): void
  /** Opens a new file of the owner's alone. */
  create(path: string): number
  append(fd: number, bytes: Uint8Array): void
  close(fd: number): void
  rename(from: string, to: string): void
  remove(path: string): void
}

/** Nothing is synced: what a power cut takes fails its checksum or lags behind the database, and is made anew. */
export const realIndexDisk: IndexDisk = {
  makeFolder: (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
  create: (path) => openSync(path, 'wx', 0o600),
  append(fd, bytes) {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
  },
  close: closeSync,
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
}
