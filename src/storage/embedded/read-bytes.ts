import { readSync } from 'node:fs'

/** Pages get memory of their own: they are read as words, and kept. */
const MIN_OWN_BYTES = 512

/** The bytes at `from`: fewer than `length` at the end of the file. */
export function readBytes(fd: number, from: number, length: number): Buffer {
  const bytes = length < MIN_OWN_BYTES ? Buffer.allocUnsafe(length) : Buffer.allocUnsafeSlow(length)
  let done = 0
  while (done < length && from >= 0) {
    const count = readSync(fd, bytes, done, length - done, from + done)
    if (count === 0) break
    done += count
  }
  return bytes.subarray(0, done)
}
