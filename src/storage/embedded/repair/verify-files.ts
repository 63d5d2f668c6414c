import { BaseFile, isSameFile, readStamp } from '../base/base-file'
import type { DatabaseFiles } from '../engine/database-files'
import { requireNoLog } from '../engine/missing-database'
import { closeSegments, openLog, requireSound } from '../log/open-log'
import { scanSegment, startOfSegment } from '../log/scan-segment'

/**
 * Throws if the database at `path` cannot be opened. Reads what opening reads, but does not start SQLite, which takes a tenth of a second.
 * A database without a log of pages is opened.
 */
export async function requireReadableFiles(path: string): Promise<void> {
  for (;;) {
    const stamp = readStamp(path)
    try {
      return await requireBaseAndLog(path)
    } catch (error) {
      // If the base was replaced meanwhile, the segments belong to its successor.
      if (isSameFile(readStamp(path), stamp)) throw error
    }
  }
}

async function requireBaseAndLog(path: string): Promise<void> {
  const base = BaseFile.open(path)
  if (base === null) return requireNoLog(path)
  try {
    if (base.footer) {
      base.read(1)
      closeSegments(openLog(path, base.footer).segments)
      return
    }
  } finally {
    base.close()
  }
  const { openCurrentState } = await import('./backup')
  const files = await openCurrentState(path)
  files?.unload()
}

export interface LogSummary {
  commits: number
  bytes: number
  files: number
  /** Whether an interrupted append follows the last record. */
  isCut: boolean
}

/** Reads all files to the last byte. Throws `database_damaged` if anything differs from what was written. Null if there is no log of pages. */
export function verifyFiles(files: DatabaseFiles): LogSummary | null {
  files.base?.verify()
  const { logged } = files
  if (logged === null) return null
  const summary = { commits: 0, bytes: 0, files: logged.log.segments.length, isCut: false }
  const memory = Buffer.allocUnsafeSlow(Math.max(0, ...logged.log.segments.map(({ file }) => file.size)))
  for (const { file, number, previous } of logged.log.segments) {
    const { size } = file
    const { records, cursor } = requireSound(
      scanSegment(file.read(0, size, memory), startOfSegment(number, previous)),
      file.path,
    )
    summary.commits += records.filter(({ head }) => !head.sealed).length
    summary.bytes += cursor.offset
    summary.isCut = size > cursor.offset
  }
  for (const { index } of logged.log.segments) for (const page of index.pages()) logged.pages.readImage(page)
  return summary
}
