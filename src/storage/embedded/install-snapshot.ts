import { randomBytes } from 'node:crypto'
import { closeSync, constants, openSync, readdirSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { isAlive } from '../services/file-lock'
import type { Disk } from './disk'
import { createSegment, removeSegmentsBefore } from './segments'
import { writeMarks } from './snapshot'

export interface SnapshotInstallation {
  /** A SQLite file. The marks are put into these very bytes. */
  bytes: Uint8Array
  /** Where the log goes on from it. */
  segment: number
  /** Whether what is there now may be replaced; asked when nobody else can replace it any more. */
  mayReplace(): boolean
  /** Give way to another process that is about to place one. */
  yieldsToOthers: boolean
}

/**
 * Puts a snapshot in the place of the one at `path`, and removes the segments that it stands for. False where that was not
 * to be, and nothing is changed.
 *
 * The file that is written first is also the claim to replace the other: whoever finds an older claim removes it, so its
 * owner's rename finds nothing to rename. However long a process was paused, it never puts an old state over a newer one.
 */
export async function installSnapshot(path: string, placing: SnapshotInstallation, disk: Disk): Promise<boolean> {
  const claim = `${path}.${HOST}-${process.pid}-${randomBytes(6).toString('hex')}.new`
  disk.create(claim)
  try {
    const rivals = listClaims(path).filter((rival) => rival.path !== claim)
    const goesOn = !(placing.yieldsToOthers && rivals.some((rival) => rival.alive))
    if (goesOn) for (const rival of rivals) disk.remove(rival.path)
    if (!goesOn || !placing.mayReplace()) {
      disk.remove(claim)
      return false
    }
    await writeSnapshot(claim, writeMarks(placing.bytes, placing.segment), disk)
    await createSegment(path, placing.segment, disk)
    disk.rename(claim, path)
    await disk.syncFolder(dirname(path))
  } catch (error) {
    if (isClaimRemoved(error, claim)) return false
    ignoreErrors(() => disk.remove(claim))
    throw error
  }
  ignoreErrors(() => removeSegmentsBefore(path, placing.segment, disk))
  return true
}

export interface SnapshotClaim {
  path: string
  alive: boolean
}

/** The snapshots under way, and what dead processes have left of theirs. */
export function listClaims(path: string): SnapshotClaim[] {
  const prefix = `${basename(path)}.`
  return readdirSync(dirname(path)).flatMap((name) => {
    const parts = name.startsWith(prefix) ? CLAIM.exec(name.slice(prefix.length)) : null
    if (!parts) return []
    const file = join(dirname(path), name)
    return [{ path: file, alive: isClaimAlive(file, { host: parts[1]!, pid: Number(parts[2]) }) }]
  })
}

const CLAIM = /^([0-9a-f]{8})-(\d+)-[0-9a-f]{12}\.new$/
const HOST = crc32(hostname()).toString(16).padStart(8, '0')
/** One that was not written to for so long was paused, or died on another machine. */
const CLAIM_TIMEOUT_MS = 60_000

function isClaimAlive(claim: string, { host, pid }: { host: string; pid: number }): boolean {
  if (host === HOST && !isAlive(pid)) return false
  const stats = statSync(claim, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs < CLAIM_TIMEOUT_MS
}

const CHUNK_BYTES = 1024 * 1024

/** Never makes the file: a claim that was taken away must not come back. */
async function writeSnapshot(claim: string, bytes: Uint8Array, disk: Disk): Promise<void> {
  const fd = openSync(claim, constants.O_WRONLY | constants.O_APPEND)
  try {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      disk.append(fd, bytes.subarray(at, at + CHUNK_BYTES))
      await setImmediate() // whoever holds the turn shows itself meanwhile
    }
    await disk.sync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Whether it failed since another process has taken the claim away. */
function isClaimRemoved(error: unknown, claim: string): boolean {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  return isMissing && 'path' in error && error.path === claim
}

/** For clearing away, which the next one does where this one cannot. */
function ignoreErrors(clear: () => void): void {
  try {
    clear()
  } catch {
    // left for the next
  }
}
