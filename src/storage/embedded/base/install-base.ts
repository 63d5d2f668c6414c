import { randomBytes } from 'node:crypto'
import { closeSync, constants, openSync, readdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from '../../../kernel/crc32'
import { errorCodeOf } from '../../../kernel/errors'
import { isAlive } from '../../services/file-lock'
import { retryWhileHeld, statIfThere } from '../../services/held-files'
import { appendAll, type Disk } from '../disk'
import { createSegment, removeSegmentsBefore } from '../log/segments'
import { combineChecksums, encodeTrailer, writeMarks } from './base-format'
import { type BaseSource, computeChecksums, readPage, readPieces } from './base-source'
import { readHeaderFields } from './header-fields'

export interface BaseInstallation {
  source: BaseSource
  /** Where the log continues: the segment, and the checksum of the head that seals the one before it, 0 if there is none. */
  segment: number
  previous?: number
  /** Whether the current base may be replaced. Called when no other process can replace it. */
  mayReplace(): boolean
  /** Give up if another process is installing a base. */
  yieldsToOthers: boolean
}

/**
 * Replaces the base at `path`, and removes the segments that it contains. Resolves with false, and changes nothing, if it may not be
 * replaced.
 *
 * The temporary file is also a claim: a process removes all older claims, so the rename of their owners fails. A process never replaces a
 * newer state with an older one, however long it was paused.
 */
export async function installBase(path: string, installation: BaseInstallation, disk: Disk): Promise<boolean> {
  const claim = `${path}.${HOST}-${process.pid}-${randomBytes(6).toString('hex')}.new`
  disk.create(claim)
  try {
    const rivals = listClaims(path).filter((rival) => rival.path !== claim)
    const proceeds = !(installation.yieldsToOthers && rivals.some((rival) => rival.alive))
    if (proceeds) for (const rival of rivals) disk.remove(rival.path)
    if (!proceeds || !installation.mayReplace()) {
      disk.remove(claim)
      return false
    }
    await writeBase(claim, installation, disk)
    // Writing takes time, in which a person may have put another file at the path, without a claim.
    if (installation.yieldsToOthers && !installation.mayReplace()) {
      disk.remove(claim)
      return false
    }
    await createSegment(path, installation.segment, disk)
    installation.source.close?.()
    await retryWhileHeld(() => disk.rename(claim, path))
    await disk.syncFolder(dirname(path))
  } catch (error) {
    if (isClaimRemoved(error, claim)) return false
    ignoreErrors(() => disk.remove(claim))
    throw error
  }
  ignoreErrors(() => removeSegmentsBefore(path, installation.segment, disk))
  return true
}

export interface BaseClaim {
  path: string
  alive: boolean
}

/** The bases that are being written, and those that dead processes left behind. */
export function listClaims(path: string): BaseClaim[] {
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
/** A claim that was not written to for this long belongs to a process that is paused, or that died on another machine. */
const CLAIM_TIMEOUT_MS = 60_000

function isClaimAlive(claim: string, { host, pid }: { host: string; pid: number }): boolean {
  if (host === HOST && !isAlive(pid)) return false
  const stats = statIfThere(claim)
  return stats !== undefined && Date.now() - stats.mtimeMs < CLAIM_TIMEOUT_MS
}

/** Never creates the file: a removed claim must not come back. */
async function writeBase(
  claim: string,
  { source, segment, previous = 0 }: BaseInstallation,
  disk: Disk,
): Promise<void> {
  const { pageSize, pageCount } = source
  const checksums = await computeChecksums(source)
  const header = readHeaderFields(readPage(source, 1))
  const trailer = encodeTrailer(checksums, { pageSize, pageCount, segment, previous, header })
  const checksum = crc32(trailer, combineChecksums(checksums, pageSize))
  const fd = openSync(claim, constants.O_WRONLY | constants.O_APPEND)
  try {
    for (const { first, bytes } of readPieces(source)) {
      if (first === 1) writeMarks(bytes, checksum)
      appendAll(disk, fd, bytes)
      await setImmediate() // lets the holder of the write lock refresh it
    }
    appendAll(disk, fd, trailer)
    await disk.sync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Whether the error means that another process removed the claim. */
function isClaimRemoved(error: unknown, claim: string): boolean {
  return errorCodeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).path === claim
}

/** For cleanup: the next base removes what this one could not. */
function ignoreErrors(cleanUp: () => void): void {
  try {
    cleanUp()
  } catch {}
}
