import { copyFileSync, linkSync, mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StudioError } from '../../../kernel'
import { makeFolder, toFileError } from '../../services/files'
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

/** Creates a folder beside the database for files that it no longer uses. */
function createArchiveFolder(path: string): string {
  const folder = `${path}.aside-${new Date().toISOString().replace(/[:.]/g, '-')}`
  mkdirSync(folder, { mode: 0o700 })
  return folder
}

/** Archives the database in a folder where it can be opened under its own name. Null if there is none. */
export async function archiveDatabase(path: string, disk: Disk): Promise<string | null> {
  return archiveFiles(
    path,
    [...(readStamp(path) ? [path] : []), ...listSegments(path).map((segment) => segment.path), ...listJournals(path)],
    disk,
  )
}

/** Archives the files of a log whose base is gone. The originals remain: only installing a base removes them. */
export async function archiveLog(path: string, disk: Disk): Promise<string | null> {
  const used = listSegments(path).filter(({ size }) => size > 0)
  return archiveFiles(
    path,
    used.map((segment) => segment.path),
    disk,
  )
}

async function archiveFiles(path: string, files: readonly string[], disk: Disk): Promise<string | null> {
  if (files.length === 0) return null
  const folder = createArchiveFolder(path)
  for (const file of files) linkOrCopy(file, join(folder, basename(file)))
  await disk.syncFolder(folder)
  await disk.syncFolder(dirname(path))
  return folder
}

/**
 * Removes the archive of a database that was not replaced after all. Both folders share the files of the log, so a writer in one
 * would change the other.
 */
export function discardArchive(folder: string | null): void {
  if (folder === null) return
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // Windows keeps the folder while another process has a file of it open. The caller reports why the database was not replaced.
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to) // a file system without links
  }
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
