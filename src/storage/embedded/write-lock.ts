import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { StudioError } from '../../kernel'
import { isAlive } from '../services/file-lock'
import { toFileError } from '../services/files'
import { OWNER_ONLY_MODE } from './disk'

/** A holder shows itself this often; one that was silent three times as long is overtaken. */
const HEARTBEAT_INTERVAL_MS = 400
export const HEARTBEAT_TIMEOUT_MS = 1_200
const ACQUIRE_TIMEOUT_MS = 30_000
/** How long one that was asked to make room stays away. */
const YIELD_MS = 5

/**
 * Writers take turns by a file beside the database. That is courtesy, which spares them from running their transactions
 * again: what keeps them from harming each other is the log itself, in which only the first to follow a commit counts.
 */
export class FileWriteLock {
  readonly #path: string
  #held: HeldLock | null = null
  #makeRoom = false

  constructor(path: string) {
    this.#path = path
  }

  /** Waits for the turn; fails with `database_busy` after half a minute, and where the folder cannot be written to. */
  async acquire(): Promise<void> {
    if (this.#held && this.isHeld && !this.isContended) return this.#held.ending.cancel()
    this.releaseNow()
    const hasMadeRoom = this.#makeRoom
    if (hasMadeRoom) await sleep(YIELD_MS * (1 + Math.random()))
    this.#makeRoom = false
    const deadline = performance.now() + ACQUIRE_TIMEOUT_MS
    const watched = new WaitedLock(this.#path)
    while (!this.#create()) {
      if (watched.isDeserted()) watched.remove()
      else if (performance.now() > deadline) throw this.#busy()
      else await sleep(1 + Math.random() * 3)
    }
    if (hasMadeRoom || watched.hasWaited) unlinkQuietly(getWaitMarkerPath(this.#path)) // who still waits wishes again
  }

  /** Whether another process has asked for the turn since it was taken. */
  get isContended(): boolean {
    this.#makeRoom ||= statSync(getWaitMarkerPath(this.#path), { throwIfNoEntry: false }) !== undefined
    return this.#makeRoom
  }

  get isHeld(): boolean {
    return this.#held !== null && this.#isMine()
  }

  /** Lets go a little later: the next commit often follows. */
  release(): void {
    this.#held?.ending.start()
  }

  /** Lets go at once. */
  releaseNow(): void {
    if (!this.#held) return
    const { fd, showing, ending } = this.#held
    clearInterval(showing)
    ending.cancel()
    if (this.#isMine()) unlinkQuietly(this.#path)
    this.#held = null
    closeSync(fd)
  }

  #show(): void {
    const now = new Date()
    try {
      if (this.#isMine()) utimesSync(this.#path, now, now)
      else this.releaseNow() // it was paused for long, and overtaken
    } catch {
      // as if it had been silent
    }
  }

  /** While it is open its number is nobody else's: a file with another one belongs to who has overtaken this holder. */
  #isMine(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino === this.#held?.ino
  }

  #create(): boolean {
    let fd: number
    try {
      fd = openSync(this.#path, 'wx', OWNER_ONLY_MODE)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
      throw toFileError(error, this.#path)
    }
    try {
      writeSync(fd, JSON.stringify({ pid: process.pid, host: hostname() } satisfies LockHolder))
    } catch (error) {
      closeSync(fd)
      unlinkQuietly(this.#path)
      throw toFileError(error, this.#path)
    }
    const showing = setInterval(() => this.#show(), HEARTBEAT_INTERVAL_MS).unref()
    this.#held = { fd, ino: fstatSync(fd).ino, showing, ending: new DelayedRelease(() => this.releaseNow()) }
    return true
  }

  #busy(): StudioError {
    const pid = readLockHolder(this.#path)?.pid
    return new StudioError('database_busy', `${pid ? `Process ${pid}` : 'Another process'} writes for too long.`, {
      hint: 'Try again; who writes is shown by: studio doctor',
      retryAfterSeconds: 1,
    })
  }
}

interface HeldLock {
  fd: number
  ino: number
  showing: NodeJS.Timeout
  ending: DelayedRelease
}

/** How long a turn that nobody wants is kept after a commit. */
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

/** Who holds the turn, as far as it can be read. */
export function readLockHolder(path: string): LockHolder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockHolder
  } catch {
    return null // just released, or not yet written
  }
}

/** Whether a writer holds the turn of the database at `path`, in this process or another. One that died or is paused does not count. */
export function isBeingWritten(path: string): boolean {
  const lock = `${path}.lock`
  const stats = statSync(lock, { throwIfNoEntry: false })
  if (stats === undefined || Date.now() - stats.mtimeMs > HEARTBEAT_TIMEOUT_MS) return false
  const holder = readLockHolder(lock)
  return holder === null || holder.host !== hostname() || isAlive(holder.pid)
}

/** Another's turn, seen by one who waits. Silence is measured by the own clock. */
class WaitedLock {
  readonly #path: string
  #turn = ''
  #holder: LockHolder | null = null
  #shown = 0
  #since = 0
  hasWaited = false

  constructor(path: string) {
    this.#path = path
  }

  /** Whether its holder has died, or has not shown itself for long. */
  isDeserted(): boolean {
    const stats = statSync(this.#path, { throwIfNoEntry: false })
    if (!stats) return false
    if (identifyFile(stats) !== this.#turn) {
      this.#turn = identifyFile(stats)
      this.#holder = null
      this.#wish()
    }
    this.#holder ??= readLockHolder(this.#path)
    if (this.#holder?.host === hostname() && !isAlive(this.#holder.pid)) return true
    if (stats.mtimeMs !== this.#shown) {
      this.#shown = stats.mtimeMs
      this.#since = performance.now()
    }
    return performance.now() - this.#since > HEARTBEAT_TIMEOUT_MS
  }

  /** Only the turn that was judged: by now it may be a successor's. */
  remove(): void {
    const stats = statSync(this.#path, { throwIfNoEntry: false })
    if (stats && identifyFile(stats) === this.#turn) unlinkQuietly(this.#path)
  }

  #wish(): void {
    this.hasWaited = true
    try {
      closeSync(openSync(getWaitMarkerPath(this.#path), 'a', OWNER_ONLY_MODE))
    } catch {
      // without it the turn comes later
    }
  }
}

/** Which file it is: the number alone may be given to its successor. */
function identifyFile(stats: Stats): string {
  return `${stats.ino}:${stats.birthtimeMs}`
}

/** A file that tells the holder that somebody waits. */
function getWaitMarkerPath(path: string): string {
  return `${path}.wanted`
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // gone already
  }
}
