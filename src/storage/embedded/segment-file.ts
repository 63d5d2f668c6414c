import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { errorCodeOf } from '../../kernel/errors'
import { toFileError } from '../services/files'
import { segmentPath } from './segments'

/** A segment of the log that is open. It is read to its end, and only ever grows. */
export class SegmentFile {
  readonly path: string
  readonly fd: number
  readonly isWritable: boolean
  readonly #ino: number

  private constructor(path: string, fd: number, writable: boolean) {
    this.path = path
    this.fd = fd
    this.isWritable = writable
    this.#ino = fstatSync(fd).ino
  }

  /** Null where it is not there. Never makes one: that is for who closes the segment before it. */
  static open(path: string, segment: number, access: 'read' | 'append' = 'read'): SegmentFile | null {
    const file = segmentPath(path, segment)
    const append = access === 'append'
    try {
      const fd = openSync(file, append ? constants.O_RDWR | constants.O_APPEND : constants.O_RDONLY)
      return new SegmentFile(file, fd, append)
    } catch (error) {
      if (errorCodeOf(error) === 'ENOENT') return null
      throw toFileError(error, file)
    }
  }

  get size(): number {
    return fstatSync(this.fd).size
  }

  /** Whether its path still leads to it. */
  get isInPlace(): boolean {
    return statSync(this.path, { throwIfNoEntry: false })?.ino === this.#ino
  }

  /** What stands from `from` up to `to`, or to the end where that comes first. */
  read(from: number, to: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, to - from))
    let done = 0
    while (done < bytes.length) {
      const count = readSync(this.fd, bytes, done, bytes.length - done, from + done)
      if (count === 0) break
      done += count
    }
    return bytes.subarray(0, done)
  }

  close(): void {
    closeSync(this.fd)
  }
}
