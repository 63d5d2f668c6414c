import {
  type BigIntStats,
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hint, StudioError, suggest } from '../../../kernel'
import { errorCodeOf } from '../../../kernel/errors'
import { isAlive } from '../../services/file-lock'
import { toFileError } from '../../services/files'
import { retryBrieflyWhileHeld, retryWhileHeld, statExactlyIfThere, statIfThere } from '../../services/held-files'
import { OWNER_ONLY_MODE } from '../disk'

/** A holder refreshes the lock this often. A lock that was not refreshed for three times as long is taken over. */
const HEARTBEAT_INTERVAL_MS = 400
export const HEARTBEAT_TIMEOUT_MS = 1_200
const ACQUIRE_TIMEOUT_MS = 30_000
/** How long a holder that released the lock for another process waits before it asks again. */
const YIELD_MS = 5

/** Serializes the writers of all processes. */
export interface WriteLock {
  acquire(): Promise<void>
  readonly isContended: boolean
  /** False if another process has taken the lock over. */
  readonly isHeld: boolean
  release(): void
  /** Releases the lock without the delay. */
  releaseNow(): void
}

/**
 * The write lock: a file beside the database. It only spares writers from running their transactions again. The log itself protects
 * the data: of several records that follow the same commit, only the first counts.
 */
export class FileWriteLock {
  readonly #path: string
  #held: HeldLock | null = null
  #mustYield = false
  #isFolderSafe = false

  constructor(path: string) {
    this.#path = path
  }

  /** Waits for the lock. Fails with `database_busy` after half a minute, and with `read_only` if commits cannot be stored in the folder. */
  async acquire(): Promise<void> {
    if (this.#held && this.isHeld && !this.isContended) return this.#held.delayedRelease.cancel()
    if (!this.#isFolderSafe) (await import('./require-safe-folder')).requireSafeFolder(dirname(this.#path))
    this.#isFolderSafe = true
    this.releaseNow()
    const hasYielded = this.#mustYield
    if (hasYielded) await sleep(YIELD_MS * (1 + Math.random()))
    this.#mustYield = false
    const deadline = performance.now() + ACQUIRE_TIMEOUT_MS
    const waited = new WaitedLock(this.#path)
    while (!(await this.#createWhenFree())) {
      if (waited.isStale()) waited.remove()
      else if (performance.now() > deadline) throw this.#busy()
      else await sleep(1 + Math.random() * 3)
    }
    if (hasYielded || waited.hasWaited) unlinkQuietly(getWaitMarkerPath(this.#path)) // waiting processes create it again
  }

  /** Whether another process has requested the lock since it was acquired. */
  get isContended(): boolean {
    this.#mustYield ||= statIfThere(getWaitMarkerPath(this.#path)) !== undefined
    return this.#mustYield
  }

  get isHeld(): boolean {
    return this.#held !== null && this.#isOwnFile()
  }

  /** Releases the lock after a short delay, because another commit often follows. */
  release(): void {
    this.#held?.delayedRelease.start()
  }

  /** Releases the lock immediately. */
  releaseNow(): void {
    if (!this.#held) return
    const { fd, heartbeat, delayedRelease } = this.#held
    clearInterval(heartbeat)
    delayedRelease.cancel()
    if (this.#isOwnFile()) unlinkQuietly(this.#path)
    this.#held = null
    if (fd !== null) closeSync(fd)
  }

  #refreshHeartbeat(): void {
    const now = new Date()
    try {
      if (this.#isOwnFile()) utimesSync(this.#path, now, now)
      else this.releaseNow() // another process took over while this one was paused
    } catch {
      // a missed heartbeat
    }
  }

  /** A lock file with another number belongs to the process that took over. */
  #isOwnFile(): boolean {
    return statExactlyIfThere(this.#path)?.ino === this.#held?.ino
  }

  /** False if another process has the lock. */
  async #createWhenFree(): Promise<boolean> {
    try {
      return await retryWhileHeld(() => this.#create())
    } catch (error) {
      throw toFileError(error, this.#path)
    }
  }

  #create(): boolean {
    let fd: number
    try {
      fd = openSync(this.#path, 'wx', OWNER_ONLY_MODE)
    } catch (error) {
      if (errorCodeOf(error) === 'EEXIST') return false
      throw error
    }
    try {
      writeSync(fd, JSON.stringify({ pid: process.pid, host: hostname() } satisfies LockHolder))
    } catch (error) {
      closeSync(fd)
      unlinkQuietly(this.#path)
      throw error
    }
    const heartbeat = setInterval(() => this.#refreshHeartbeat(), HEARTBEAT_INTERVAL_MS).unref()
    const { ino } = fstatSync(fd, { bigint: true })
    if (!KEEPS_OPEN) closeSync(fd)
    const delayedRelease = new DelayedRelease(() => this.releaseNow())
    this.#held = { fd: KEEPS_OPEN ? fd : null, ino, heartbeat, delayedRelease }
    return true
  }

  #busy(): StudioError {
    const pid = readLockHolder(this.#path)?.pid
    return new StudioError(
      'database_busy',
      `${pid ? `Process ${pid}` : 'Another process'} has held the write lock for too long.`,
      {
        hint: hint`Try again. To see which process is writing: ${suggest('system.doctor')}`,
        retryAfterSeconds: 1,
      },
    )
  }
}

/**
 * No other file gets the inode number of an open file. Windows gives no number twice, and there an open file could not be removed by a
 * process that takes over.
 */
const KEEPS_OPEN = process.platform !== 'win32'

interface HeldLock {
  fd: number | null
  ino: bigint
  heartbeat: NodeJS.Timeout
  delayedRelease: DelayedRelease
}

/** How long an uncontended lock is held after a commit. */
const RELEASE_DELAY_MS = 3

class DelayedRelease {
  readonly #timer: NodeJS.Timeout
  #isDue = false

  constructor(end: () => void) {
    this.#timer = setTimeout(() => this.#isDue && end(), RELEASE_DELAY_MS).unref()
  }

  start(): void {
    this.#isDue = true
    this.#timer.refresh()
  }

  cancel(): void {
    this.#isDue = false
  }
}

export interface LockHolder {
  pid: number
  host: string
}

/** The holder of the lock; null if the file cannot be read. */
export function readLockHolder(path: string): LockHolder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockHolder
  } catch {
    return null // just released, or not yet written
  }
}

/**
 * Whether any process holds the write lock of the database at `path`. A process that died or is paused does not count. This process is
 * not paused, however late its heartbeat is.
 */
export function isBeingWritten(path: string): boolean {
  const lock = `${path}.lock`
  const stats = statIfThere(lock)
  if (stats === undefined) return false
  const holder = readLockHolder(lock)
  if (holder?.pid === process.pid && holder.host === hostname()) return true
  if (Date.now() - stats.mtimeMs > HEARTBEAT_TIMEOUT_MS) return false
  return holder === null || holder.host !== hostname() || isAlive(holder.pid)
}

/** The lock of another process, as a waiting process sees it. Timeouts are measured by the waiting process's clock. */
class WaitedLock {
  readonly #path: string
  #fileId = ''
  #holder: LockHolder | null = null
  #lastHeartbeat = 0n
  #lastSeenAt = 0
  hasWaited = false

  constructor(path: string) {
    this.#path = path
  }

  /** Whether the holder has died, or has not refreshed the lock in time. */
  isStale(): boolean {
    const stats = statExactlyIfThere(this.#path)
    if (!stats) return false
    if (identifyFile(stats) !== this.#fileId) {
      this.#fileId = identifyFile(stats)
      this.#holder = null
      this.#requestRelease()
    }
    this.#holder ??= readLockHolder(this.#path)
    if (this.#holder?.host === hostname() && !isAlive(this.#holder.pid)) return true
    if (stats.mtimeNs !== this.#lastHeartbeat) {
      this.#lastHeartbeat = stats.mtimeNs
      this.#lastSeenAt = performance.now()
    }
    return performance.now() - this.#lastSeenAt > HEARTBEAT_TIMEOUT_MS
  }

  /** Removes only the lock that was checked: by now it may be the next holder's. */
  remove(): void {
    const stats = statExactlyIfThere(this.#path)
    if (stats && identifyFile(stats) === this.#fileId) unlinkQuietly(this.#path)
  }

  #requestRelease(): void {
    this.hasWaited = true
    try {
      closeSync(openSync(getWaitMarkerPath(this.#path), 'a', OWNER_ONLY_MODE))
    } catch {
      // The marker only shortens the wait.
    }
  }
}

/** Identifies a file. The inode number alone is not enough, because the next file may reuse it. */
function identifyFile({ ino, birthtimeNs }: BigIntStats): string {
  return `${ino}:${birthtimeNs}`
}

/** The marker file that asks the holder to release the lock early. */
function getWaitMarkerPath(path: string): string {
  return `${path}.wanted`
}

function unlinkQuietly(path: string): void {
  try {
    // Others would wait until they take over a lock that is left.
    retryBrieflyWhileHeld(() => unlinkSync(path))
  } catch {
    // removed already
  }
}
