import { close, closeSync, fdatasync, openSync, readSync, renameSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { syncFolder } from '../services/files'

/** All writes of the engine to a disk. Tests replace it by a disk that is full, or whose process dies between two calls. */
export interface Disk {
  /** Creates an empty file with mode 0600. Throws `EEXIST` if there is one. */
  create(path: string): void
  /**
   * Appends `bytes`, and returns how many of them were written. They are fewer at the end of the disk or at the limit on the size of files:
   * the next append fails with the reason.
   */
  append(fd: number, bytes: Uint8Array): number
  /** How many bytes the file system of the file can take. */
  freeBytes(path: string): number
  /** Makes the content of the file survive a power cut. */
  sync(fd: number): Promise<void>
  /** Makes created, renamed and removed entries of the folder survive a power cut. */
  syncFolder(path: string): Promise<void>
  rename(from: string, to: string): void
  remove(path: string): void
}

export const OWNER_ONLY_MODE = 0o600

const fdatasyncAsync = promisify(fdatasync)

export const realDisk: Disk = {
  create(path) {
    closeSync(openSync(path, 'wx', OWNER_ONLY_MODE))
  },
  append: (fd, bytes) => writeSync(fd, bytes),
  freeBytes(path) {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  },
  sync: fdatasyncAsync,
  syncFolder,
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
}

/** Appends all of `bytes` to a file that no one else writes to. If it throws, a part of them may have been written. */
export function appendAll(disk: Disk, fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += disk.append(fd, bytes.subarray(done))
}

/** Closes a file that a compaction has removed. The system then frees its blocks, which takes long for a large one, so no one waits for it. */
export function closeRemoved(fd: number): void {
  close(fd, () => {})
}

/** Pages get memory of their own: they are read as words, and kept. */
const MIN_OWN_BYTES = 512

/** The bytes at `from`: fewer than `length` at the end of the file. */
export function readBytes(fd: number, from: number, length: number): Buffer {
  const bytes = length < MIN_OWN_BYTES ? Buffer.allocUnsafe(length) : Buffer.allocUnsafeSlow(length)
  return bytes.subarray(0, readInto(bytes, fd, from))
}

/** Fills `bytes` with those at `from`, and returns how many there are: fewer at the end of the file. */
export function readInto(bytes: Uint8Array, fd: number, from: number): number {
  let done = 0
  while (done < bytes.length && from >= 0) {
    const count = readSync(fd, bytes, done, bytes.length - done, from + done)
    if (count === 0) break
    done += count
  }
  return done
}
