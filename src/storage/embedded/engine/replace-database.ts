import { dirname } from 'node:path'
import { StudioError } from '../../../kernel'
import { makeFolder, toFileError } from '../../services/files'
import { archiveDatabase, archiveLog, discardArchive } from '../archives'
import { isSameFile, readNamedSegment, readStamp } from '../base/base-file'
import type { BaseSource } from '../base/base-source'
import { installBase } from '../base/install-base'
import { listJournals } from '../base/sqlite-journals'
import type { Disk } from '../disk'
import { findFirstSegmentOfNextEra, isBefore, listSegments } from '../log/segments'
import { removeMarker } from '../log/unconfirmed-write'
import { damagedError } from '../storage-errors'
import type { DatabaseFiles } from './database-files'
import { FileWriteLock } from './write-lock'

/** Compaction takes no lock. If the log is compacted meanwhile, the archive cannot be opened, so the attempt is repeated. */
const MAX_ATTEMPTS = 3

/**
 * Replaces the database at `path`. Resolves with the folder that contains the old one, or null if there was none. Processes that have it
 * open continue with the new one. A process that was paused and lost the lock replaces nothing.
 * @param onlyIf the fingerprint that the database must still have.
 */
export async function replaceDatabase(
  path: string,
  source: BaseSource,
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
      const archive = await archiveDatabase(path, disk)
      const mayReplace = () => lock.isHeld && fingerprintDatabase(path) === before
      let isPlaced = false
      try {
        isPlaced = await installBase(path, { source, segment, mayReplace, yieldsToOthers: false }, disk)
        if (isPlaced) {
          // They belong to the file that was replaced: SQLite would apply them to the new one.
          for (const journal of listJournals(path)) disk.remove(journal)
          return archive
        }
      } finally {
        if (!isPlaced && isOlderThan(path, segment)) discardArchive(archive)
      }
    }
  } catch (error) {
    throw toFileError(error, path)
  } finally {
    lock.releaseNow()
  }
  throw new StudioError('conflict', 'Other processes changed the database at the same time; it was not replaced.', {
    hint: 'Check the database and try again.',
  })
}

/** Changes with each commit and each base. */
export function fingerprintDatabase(path: string): string {
  return JSON.stringify([readStamp(path), listSegments(path)])
}

/** Whether the database at `path` is certainly older than one whose log begins in `segment`. */
function isOlderThan(path: string, segment: number): boolean {
  const named = readNamedSegment(path)
  return named !== null && isBefore(named, segment)
}

/**
 * Gives a database that another tool created its own base and log. The first write does so. The old files remain until the new base is
 * complete.
 */
export async function adoptDatabase(files: DatabaseFiles, disk: Disk): Promise<void> {
  const { path, connection, stamp } = files
  // The check takes time: another process may have adopted the database and written to it meanwhile.
  const mayReplace = () => isSameFile(readStamp(path), stamp)
  const [integrityError] = connection.findIntegrityErrors()
  if (integrityError !== undefined) throw damagedError(path, null, integrityError)
  if (mayReplace()) {
    const archive = await archiveLog(path, disk)
    const segment = findFirstSegmentOfNextEra(path, null)
    const source = files.toBaseSource()
    if (await installBase(path, { source, segment, mayReplace, yieldsToOthers: false }, disk)) removeMarker(path, disk)
    else discardArchive(archive)
  }
  await files.load()
}
