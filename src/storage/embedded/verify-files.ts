import type { DatabaseFiles } from './database-files'
import { requireSound } from './open-log'
import { scanSegment, startOfSegment } from './scan-segment'

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
  for (const { file, number, previous } of logged.log.segments) {
    const { size } = file
    const { records, cursor } = requireSound(
      scanSegment(file.read(0, size), startOfSegment(number, previous)),
      file.path,
    )
    summary.commits += records.filter(({ head }) => !head.sealed).length
    summary.bytes += cursor.offset
    summary.isCut = size > cursor.offset
  }
  for (const { index } of logged.log.segments) for (const page of index.pages()) logged.pages.readImage(page)
  return summary
}
