import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { readFile, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCodeOf, StudioError } from '../../kernel/errors'
import { makeFolder, toFileError } from './files'
import { retryWhileHeld } from './held-files'

/** A holder refreshes its lock every second. A lock that a waiting process did not see refreshed for this long is taken over. */
const HEARTBEAT_TIMEOUT_MS = 5_000
const HEARTBEAT_INTERVAL_MS = 1_000
const DEFAULT_WAIT_MS = 30_000

interface Holder {
  pid: number
  host: string
  nonce: string
}

export interface HeldLock {
  /** Throws when another process took the lock over while this one was paused. The holder must not write then. */
  assertHeld(): Promise<void>
}

/**
 * Runs `work` while this process holds the lock. The lock of a process of this machine that died is taken over at once; that of a paused
 * process, or one of another machine, after five seconds.
 */
export async function withFileLock<R>(
  lockPath: string,
  work: (lock: HeldLock) => Promise<R>,
  { waitMs = DEFAULT_WAIT_MS }: { waitMs?: number } = {},
): Promise<R> {
  const self: Holder = { pid: process.pid, host: hostname(), nonce: randomUUID() }
  await acquire(lockPath, self, waitMs)
  const heartbeat = setInterval(() => void refreshHeartbeat(lockPath), HEARTBEAT_INTERVAL_MS)
  heartbeat.unref()
  try {
    return await work({ assertHeld: () => assertHeld(lockPath, self) })
  } finally {
    clearInterval(heartbeat)
    await release(lockPath, self)
  }
}

async function acquire(lockPath: string, me: Holder, waitMs: number): Promise<void> {
  const lock = new WaitedFile(lockPath)
  const startedAt = performance.now()
  for (;;) {
    if (await create(lockPath, me)) return
    if (await removeIfStale(lock, me)) continue
    // A lock that looks abandoned is watched until that is certain, as the clock may have been set meanwhile.
    if (performance.now() - startedAt > waitMs && !lock.looksAbandoned) {
      const holder = await readHolder(lockPath)
      throw new StudioError(
        'database_busy',
        `${lockPath} has been held${holder ? ` by process ${holder.pid}` : ''} for too long.`,
        {
          hint: 'Try again. If no studio process is running, remove that file.',
          places: [{ text: lockPath, name: 'a lock file' }],
          retryAfterSeconds: 1,
        },
      )
    }
    await sleep(5 + Math.random() * 20)
  }
}

async function create(path: string, holder: Holder): Promise<boolean> {
  try {
    makeFolder(dirname(path))
    // In one call, because an empty lock does not say who holds it.
    await retryWhileHeld(() => writeFileSync(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 }))
    return true
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST' && (await stat(path).catch(() => null))?.isFile() !== false) return false
    throw toFileError(error, path)
  }
}

/**
 * Whether it has removed a stale file. Only the process that has created the guard of the file does so, and looks again before: it never
 * removes the lock of the next holder. A guard is a file like that, because its process may die too.
 */
async function removeIfStale(file: WaitedFile, me: Holder): Promise<boolean> {
  if (!(await file.isStale())) return false
  const { guard } = file
  if (!(await create(guard.path, me))) {
    await removeIfStale(guard, me)
    return false
  }
  try {
    if (!(await file.isStale())) return false
    await removeFile(file.path)
    return true
  } finally {
    await release(guard.path, me)
  }
}

/** A file of another process, as a process that waits sees it. Only the clock of the waiting process counts: that of the files may be set. */
class WaitedFile {
  readonly path: string
  #isDead = false
  #isOld = false
  #version: string | null = null
  #hasChanged = false
  #lookedAt = 0
  #unchangedMs = 0
  #guard: WaitedFile | null = null

  constructor(path: string) {
    this.path = path
  }

  /** Who creates it may remove this file. */
  get guard(): WaitedFile {
    this.#guard ??= new WaitedFile(`${this.path}.takeover`)
    return this.#guard
  }

  /** Whether it has the time of a stale file, and its holder was not seen to refresh it. If its holder has died, the guard alone counts. */
  get looksAbandoned(): boolean {
    return this.#isDead ? this.guard.looksAbandoned : this.#isOld && !this.#hasChanged
  }

  /** Whether its holder has died, or has not refreshed it in time. */
  async isStale(): Promise<boolean> {
    // A machine that slept paused the holder too. So the time between two looks counts only up to the next heartbeat.
    const sinceLookMs = Math.min(performance.now() - this.#lookedAt, HEARTBEAT_INTERVAL_MS)
    this.#lookedAt = performance.now()
    const [stats, holder] = [await stat(this.path).catch(() => null), await readHolder(this.path)]
    this.#isDead = holder !== null && holder.host === hostname() && !isAlive(holder.pid)
    // A holder that runs may have another clock, so the time of the file alone does not say that it is stale.
    this.#isOld = stats !== null && Math.abs(Date.now() - stats.mtimeMs) > HEARTBEAT_TIMEOUT_MS
    if (stats === null || this.#isDead) return stats !== null
    const version = `${holder?.nonce} ${stats.mtimeMs}`
    this.#unchangedMs = version === this.#version ? this.#unchangedMs + sinceLookMs : 0
    this.#hasChanged ||= this.#version !== null && version !== this.#version
    this.#version = version
    return this.#unchangedMs > HEARTBEAT_TIMEOUT_MS
  }
}

async function readHolder(lockPath: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(lockPath, 'utf8')) as Holder
  } catch {
    return null // just released, or not yet written
  }
}

/** Whether a process of this machine is running. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCodeOf(error) === 'EPERM'
  }
}

async function assertHeld(lockPath: string, me: Holder): Promise<void> {
  if ((await readHolder(lockPath))?.nonce === me.nonce) return
  throw new StudioError('conflict', 'This process was paused and another one wrote meanwhile; nothing was changed.', {
    hint: 'Run it again.',
  })
}

async function release(lockPath: string, me: Holder): Promise<void> {
  // What was done counts. A lock that another program keeps from being removed is taken over.
  if ((await readHolder(lockPath))?.nonce === me.nonce) await removeFile(lockPath).catch(() => {})
}

function removeFile(path: string): Promise<void> {
  return retryWhileHeld(() => rm(path, { force: true }))
}

async function refreshHeartbeat(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now).catch(() => {})
}
