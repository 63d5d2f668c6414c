import { closeSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { crc32 } from '../../kernel/crc32'
import { makeFolder, retryBrieflyWhileHeld } from '../../storage'

/** The position of a frame's content. Its checksum of four bytes follows it. */
export interface Span {
  offset: number
  length: number
}

const CHECKSUM_BYTES = 4
/** Most files are small, but the first index is not. */
const MIN_BUFFER_BYTES = 16 * 1024
const MAX_BUFFER_BYTES = 1024 * 1024

/** Writes a file of frames, each followed by its checksum. */
export class FrameWriter {
  readonly #fd: number
  readonly #disk: IndexDisk
  #stage = Buffer.allocUnsafe(MIN_BUFFER_BYTES)
  #staged = 0
  #offset = 0
  #isClosed = false

  constructor(path: string, disk: IndexDisk) {
    this.#disk = disk
    this.#fd = disk.create(path)
  }

  /** The length of the file after `close`. */
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
      this.abandon()
    }
  }

  /** Closes the file after an error, also of `close`: its number may be that of another file by then. */
  abandon(): void {
    if (this.#isClosed) return
    this.#isClosed = true
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

/** A file of the index is damaged. The index must be rebuilt from the database. */
export class DamagedIndexError extends Error {
  override readonly name = 'DamagedIndex'
}

/** Reads frames. */
export class FrameFile {
  readonly path: string
  readonly #disk: IndexDisk
  readonly #fd: number

  /** Throws `ENOENT` if there is no file. */
  constructor(path: string, disk: IndexDisk = realIndexDisk) {
    this.path = path
    this.#disk = disk
    this.#fd = disk.open(path)
  }

  read({ offset, length }: Span): Buffer {
    const bytes = Buffer.allocUnsafe(length + CHECKSUM_BYTES)
    if (this.#disk.read(this.#fd, bytes, offset) !== bytes.length) {
      throw new DamagedIndexError(`${this.path} ends before byte ${offset + bytes.length}`)
    }
    const content = bytes.subarray(0, length)
    if (crc32(content) !== bytes.readUInt32LE(length))
      throw new DamagedIndexError(`${this.path} is damaged at byte ${offset}`)
    return content
  }

  close(): void {
    this.#disk.close(this.#fd)
  }
}

/** Where the segments of an index are. Tests replace it by a disk that is full, or whose process dies between two calls. */
export interface IndexDisk {
  /** Opens a file for reading. Throws `ENOENT` if there is none. */
  open(path: string): number
  /** Fills `bytes` from this position of the file, and returns how many it had. */
  read(fd: number, bytes: Buffer, position: number): number
  makeFolder(path: string): void
  /** Creates a file with mode 0600. */
  create(path: string): number
  append(fd: number, bytes: Uint8Array): void
  close(fd: number): void
  rename(from: string, to: string): void
  remove(path: string): void
}

/** Does not sync: after a power cut, a wrong checksum or position shows that the index must be updated or rebuilt. */
export const realIndexDisk: IndexDisk = {
  open: (path) => openSync(path, 'r'),
  read: (fd, bytes, position) => readSync(fd, bytes, 0, bytes.length, position),
  makeFolder,
  create: (path) => openSync(path, 'wx', 0o600),
  append(fd, bytes) {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
  },
  close: closeSync,
  rename: (from, to) => retryBrieflyWhileHeld(() => renameSync(from, to)),
  remove: (path) => rmSync(path, { force: true }),
}
