import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { databaseTooNewError } from '../../services/apply-migrations'
import { countNames } from '../../services/file-link'
import { listArchives } from '../archives'
import { isSameFile, readStamp } from '../base/base-file'
import type { Disk } from '../disk'
import { damagedError, hardLinkError, missingFileError, unsyncedFileError } from '../storage-errors'
import { decodeHead, HEAD_BYTES } from './log-record'
import { type LogCursor, type ScanResult, scanSegment, startOfSegment, type WholeRecord } from './scan-segment'
import { addToIndex, GrowingIndex, readSeal, SegmentPages } from './segment-pages'
import { listSegments, SegmentFile, segmentPath } from './segments'
import { isUnwritableError, markUnconfirmedWrite } from './unconfirmed-write'

/** The log of a base, open from its first segment to its last. */
export interface OpenLog {
  /** All but the last one are closed. */
  segments: SegmentPages[]
  /** The position of the next commit. */
  cursor: LogCursor
  /** The last record; null if the base contains all commits. */
  last: WholeRecord | null
  /** How far the last segment was read. An interrupted append may follow the last record. */
  scannedBytes: number
}

/** Opens the segments from `first` on, of which it reads the last one and the indexes of the others. Call `syncLog` before relying on them. */
export function openLog(path: string, { segment: first, previous }: { segment: number; previous: number }): OpenLog {
  const segments: SegmentPages[] = []
  let before = previous
  let last: WholeRecord | null = null
  let next: SegmentFile | null = null
  try {
    for (let number = first; ; number++) {
      const file: SegmentFile | null = next ?? SegmentFile.open(path, number)
      next = null
      if (file === null) throw isHardLink(path) ? hardLinkError(path) : missingFileError(segmentPath(path, number))
      const segment = new SegmentPages(file, { number, previous: before, index: new GrowingIndex() })
      segments.push(segment)
      const sealed = readLinkedSeal(segment, path, before)
      if (sealed !== null) {
        segment.index = sealed.index
        before = sealed.checksum
        next = sealed.next
        continue
      }
      const { found, seen } = readSegment(segment, path, before)
      last = found.records.at(-1) ?? last
      if (!found.isSealed) return { segments, cursor: found.cursor, last, scannedBytes: seen }
      before = found.cursor.previous
    }
  } catch (error) {
    closeSegments(segments)
    throw error
  }
}

/** Whether the base at `path`, of whose log a segment is missing, is a hard link to that of a database elsewhere, which has the log. */
function isHardLink(path: string): boolean {
  if (listSegments(path).some(({ size }) => size > 0)) return false // the log is here, and damaged
  const base = readStamp(path)
  // A repair that was interrupted leaves its archive, which has the file too.
  const archived = listArchives(path).filter((folder) => isSameFile(readStamp(join(folder, basename(path))), base))
  return countNames(path) > archived.length + 1
}

export function closeSegments(segments: readonly SegmentPages[]): void {
  for (const { file } of segments) file.close()
}

/**
 * The index of a segment that the log certainly continues after. The first record of the next one names the record that counts as the end:
 * a writer that was overtaken may have appended another.
 */
function readLinkedSeal({ file, number }: SegmentPages, path: string, previous: number) {
  if (!hasContent(path, number + 1) || readFirstHead(file)?.previous !== previous) return null
  const seal = readSeal(file, number)
  const next = seal && SegmentFile.open(path, number + 1)
  if (!next) return null
  if (readFirstHead(next)?.previous === seal!.checksum) return { ...seal!, next }
  next.close()
  return null
}

function readFirstHead(file: SegmentFile) {
  const head = decodeHead(file.read(0, HEAD_BYTES), 0)
  return head?.index === 0 ? head : null
}

/**
 * Syncs the last record: no process may rely on data that a power cut could revert. Writers append to a segment only after the one before
 * it is synced, so the other records are on disk.
 */
export async function syncLog(path: string, { segments, cursor }: OpenLog, disk: Disk): Promise<void> {
  const end = cursor.index > 0 ? segments.at(-1) : segments.at(-2)
  if (end === undefined) return
  try {
    await disk.sync(end.file.fd)
  } catch (error) {
    if (isUnwritableError(error)) return
    markUnconfirmedWrite(path, disk)
    throw unsyncedFileError(end.file.path, error)
  }
}

function readSegment(segment: SegmentPages, path: string, previous: number): { found: ScanResult; seen: number } {
  const { file, number } = segment
  for (;;) {
    const seen = file.size
    const index = new GrowingIndex()
    const found = requireSound(scanSegment(file.read(0, seen), startOfSegment(number, previous)), file.path)
    for (const record of found.records) addToIndex(index, record, file.path)
    segment.index = index
    if (found.isSealed || !hasContent(path, number + 1)) return { found, seen }
    // The next segment is written to only after this one is sealed: it was sealed just now, or its end is lost.
    if (file.size === seen)
      throw damagedError(file.path, seen, 'its end is missing, and the log continues in the next file')
  }
}

export function requireSound(found: ScanResult, file: string): ScanResult {
  if (found.hasNewerVersion) throw databaseTooNewError(file)
  if (found.flaw) throw damagedError(file, found.flaw.offset, found.flaw.what)
  return found
}

function hasContent(path: string, segment: number): boolean {
  return (statSync(segmentPath(path, segment), { throwIfNoEntry: false })?.size ?? 0) > 0
}
