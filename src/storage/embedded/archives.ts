import { copyFileSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readStamp } from './base/base-file'
import { listJournals } from './base/sqlite-journals'
import type { Disk } from './disk'
import { listSegments } from './log/segments'

/** The name of an archive is that of the database with this and the time. */
const SUFFIX = '.aside-'

/** The folders with what a repair or a restored backup has replaced, oldest first. */
export function listArchives(path: string): string[] {
  const prefix = `${basename(path)}${SUFFIX}`
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .sort()
    .map((name) => join(dirname(path), name))
}

/** Creates a folder beside the database for files that it no longer uses. */
function createArchiveFolder(path: string): string {
  const folder = `${path}${SUFFIX}${new Date().toISOString().replace(/[:.]/g, '-')}`
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
