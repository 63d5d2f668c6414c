import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder, toFileError } from '../../services/files'
import { OWNER_ONLY_MODE, readInto } from '../disk'

/**
 * Changed pages in a file without a name, for changes that may be larger than the memory. Each page is at its place, so that only one bit
 * of it is in memory. The file is gone when the process ends, however it ends.
 */
export class ScratchPages {
  readonly #path: string
  #fd: number | null = null
  #present = new Uint8Array(1_024)
  #page = Buffer.alloc(0)

  /** The first page creates the file, beside the one at `path`. */
  constructor(path: string) {
    this.#path = `${path}.${randomBytes(6).toString('hex')}.tmp`
  }

  /** The page until the next call. */
  get(page: number): Uint8Array | undefined {
    const isPresent = ((this.#present[page >> 3] ?? 0) >> (page & 7)) & 1
    if (!isPresent || this.#fd === null) return undefined
    readInto(this.#page, this.#fd, (page - 1) * this.#page.length)
    return this.#page
  }

  set(page: number, bytes: Uint8Array): void {
    try {
      this.#fd ??= this.#create(bytes.length)
      const at = (page - 1) * bytes.length
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done, bytes.length - done, at + done)
    } catch (error) {
      throw toFileError(error, this.#path)
    }
    if (page >> 3 >= this.#present.length) {
      const longer = new Uint8Array(Math.max(this.#present.length * 2, (page >> 3) + 1))
      longer.set(this.#present)
      this.#present = longer
    }
    this.#present[page >> 3]! |= 1 << (page & 7)
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
  }

  #create(pageSize: number): number {
    this.#page = Buffer.allocUnsafeSlow(pageSize)
    makeFolder(dirname(this.#path))
    const fd = openSync(this.#path, 'wx+', OWNER_ONLY_MODE)
    rmSync(this.#path)
    return fd
  }
}
