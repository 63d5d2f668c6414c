import { dirname } from 'node:path'
import { StudioError } from '../../kernel'
import { makeFolder, toFileError } from '../services/files'
import { archiveDatabase, discardArchive } from './archive-database'
import type { Disk } from './disk'
import { installSnapshot } from './install-snapshot'
import { findFirstSegmentOfNextEra, isBefore, listSegments } from './segments'
import { readNamedSegment, readStamp } from './snapshot'
import { FileWriteLock } from './write-lock'

/** Compaction takes no lock. If the log is compacted meanwhile, the archive cannot be opened, so the attempt is repeated. */
const MAX_ATTEMPTS = 3

/**
 * Puts another database in the place of the one at `path`, and resolves with the folder that keeps the old one, or null
 * where there was none. Processes that have it open go on with the new one. One that was paused and overtaken replaces nothing.
 * @param onlyIf the `stateOf` it must still be in.
 */
export async function replaceDatabase(
  path: string,
  bytes: Uint8Array,
  disk: Disk,
  { onlyIf }: { onlyIf?: string } = {},
): Promise<string | null> {
  const lock = new FileWriteLock(`${path}.lock`)
  try {
    makeFolder(dirname(path))
    await lock.acquire()
    for (let attempt = 0; attempt < MAX_ATTEMPTS && lock.isHeld; attempt++) {
      const before = fingerprintDatabase(path)
      if (onlyIf !== undefined && before !== onlyIf) break
      const named = readStamp(path) ? readNamedSegment(path) : null
      const segment = findFirstSegmentOfNextEra(path, named)
      const aside = await archiveDatabase(path, disk)
      const mayReplace = () => lock.isHeld && fingerprintDatabase(path) === before
      let isPlaced = false
      try {
        isPlaced = await installSnapshot(path, { bytes, segment, mayReplace, yieldsToOthers: false }, disk)
        if (isPlaced) return aside
      } finally {
        if (!isPlaced && isOlderThan(path, segment)) discardArchive(aside)
      }
    }
  } catch (error) {
    throw toFileError(error, path)
  } finally {
    lock.releaseNow()
  }
  throw new StudioError('conflict', 'Other processes changed the database at the same time; it was not replaced.', {
    hint: 'Look at it, and try again.',
  })
}

/** Another one after each commit, and after each snapshot. */
export function fingerprintDatabase(path: string): string {
  const stamp = readStamp(path)
  return JSON.stringify([stamp?.ino, stamp?.size, stamp?.mtimeMs, listSegments(path)])
}

/** Whether what is there is surely older than a database whose log begins in `segment`. */
function isOlderThan(path: string, segment: number): boolean {
  const named = readNamedSegment(path)
  return named !== null && isBefore(named, segment)
}
