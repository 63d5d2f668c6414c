import { closeSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { IndexDisk } from './index-disk'

/** Where a frame's content stands in its file; its checksum, four bytes, stands behind it. */
export interface Span {
  offset: number
  length: number
}

const CHECKSUM_BYTES = 4
const WRITE_AT_ONCE_BYTES = 1024 * 1024

/** Writes a file that is a row of frames, each with its checksum. */
export class FrameWriter {
  readonly #fd: number
  readonly #disk: IndexDisk
  #pending: Buffer[] = []
  #pendingBytes = 0
  #offset = 0

  constructor(path: string, disk: IndexDisk) {
    this.#disk = disk
    this.#fd = disk.create(path)
  }

  /** How long the file is when all is written. */
  get length(): number {
    return this.#offset
  }

  write(content: Buffer): Span {
    const checksum = Buffer.allocUnsafe(CHECKSUM_BYTES)
    checksum.writeUInt32LE(crc32(content))
    const span = { offset: this.#offset, length: content.length }
    this.#pending.push(content, checksum)
    this.#pendingBytes += content.length + CHECKSUM_BYTES
    this.#offset += content.length + CHECKSUM_BYTES
    if (this.#pendingBytes >= WRITE_AT_ONCE_BYTES) this.#flush()
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

  #flush(): void {
    if (this.#pendingBytes > 0) this.#disk.append(this.#fd, Buffer.concat(this.#pending, this.#pendingBytes))
    this.#pending = []
    this.#pendingBytes = 0
  }
}

/** A file of the index is not what was written; all of it is made anew from the database then. */
export class DamagedIndex extends Error {
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
      throw new DamagedIndex(`${this.path} ends before byte ${offset + bytes.length}`)
    }
    const content = bytes.subarray(0, length)
    if (crc32(content) !== bytes.readUInt32LE(length))
      throw new DamagedIndex(`${this.path} is damaged at byte ${offset}`)
    return content
  }

  close(): void {
    closeSync(this.#fd)
  }
}
