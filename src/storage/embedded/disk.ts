import { closeSync, fdatasync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { syncFolder } from '../services/files'

/** All that the engine does to a disk. A test puts one in its place that is full, or whose process dies between two calls. */
export interface Disk {
  /** A new, empty file of the owner's alone; `EEXIST` where there is one. */
  create(path: string): void
  /** Adds all of `bytes` at the file's end. When it throws, a part of them may stand there. */
  append(fd: number, bytes: Uint8Array): void
  /** What was written to the file outlasts a power cut. */
  sync(fd: number): Promise<void>
  /** What was created, renamed or removed in the folder outlasts a power cut. */
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
  append(fd, bytes) {
    // What is missing must not come later: by then another writer's record may stand between.
    if (writeSync(fd, bytes) < bytes.length)
      throw Object.assign(new Error('ENOSPC: written in part'), { code: 'ENOSPC' })
  },
  sync: fdatasyncAsync,
  syncFolder,
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
}
