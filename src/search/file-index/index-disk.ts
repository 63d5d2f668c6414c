import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

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
