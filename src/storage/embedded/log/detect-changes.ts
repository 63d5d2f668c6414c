import type { LogPosition } from '../../services/commit-observer'
import { readBaseMarks } from '../base/base-file'
import { decodeHead, HEAD_BYTES, readNames } from './log-record'
import { type LogCursor, scanSegment, startOfSegment } from './scan-segment'
import { SegmentFile } from './segments'

/** `unknown`: the position belongs to another database, or the log no longer reaches back to it. Only the rows can show the changes. */
export type LogChange = 'nothing' | 'something' | 'unknown'

/**
 * Whether statements of commits after `position` name the table `word`. Reads only the log: a few hundred bytes if nothing has happened.
 It imports neither engines nor schemas, so that a start stays cheap.
 * @param until the end of the search.
 */
export function detectChanges(
  path: string,
  position: LogPosition,
  { word, until }: { word: string; until?: LogPosition },
): LogChange {
  try {
    const marks = readBaseMarks(path)
    if (marks === null || marks.checksum !== position.snapshot || marks.segment > position.segment) return 'unknown'
    if (!hasLastRecord(path, position, marks.segment)) return 'unknown'
    return scanFrom(path, position, { word, until })
  } catch {
    return 'unknown'
  }
}

/** A position in the log of a base, as one in the log of the base that has taken its place and left the position in the log. */
export function continuePosition(path: string, position: LogPosition): LogPosition {
  const marks = readBaseMarks(path)
  return marks && marks.segment <= position.segment ? { ...position, snapshot: marks.checksum } : position
}

/** The base contains the earlier records. */
function hasLastRecord(path: string, { last }: LogPosition, first: number): boolean {
  if (last === null || last.segment < first) return true
  const segment = SegmentFile.open(path, last.segment)
  try {
    const bytes = segment?.read(last.offset, last.offset + HEAD_BYTES)
    return bytes !== undefined && decodeHead(bytes, 0)?.checksum === last.checksum
  } finally {
    segment?.close()
  }
}

function scanFrom(path: string, from: LogCursor, { word, until }: { word: string; until?: LogCursor }): LogChange {
  let cursor: LogCursor = from
  for (;;) {
    const segment = SegmentFile.open(path, cursor.segment)
    if (segment === null || segment.size < cursor.offset) return 'unknown'
    try {
      const end = until?.segment === cursor.segment ? until.offset : segment.size
      const found = scanSegment(segment.read(cursor.offset, end), cursor)
      if (found.flaw || found.hasNewerVersion) return 'unknown'
      if (found.records.some(({ payload }) => readNames(payload).includes(word))) return 'something'
      if (until?.segment === cursor.segment) return isSamePosition(found.cursor, until) ? 'nothing' : 'unknown'
      if (!found.isSealed) return until === undefined ? 'nothing' : 'unknown'
      cursor = startOfSegment(cursor.segment + 1, found.cursor.previous)
    } finally {
      segment.close()
    }
  }
}

function isSamePosition(cursor: LogCursor, other: LogCursor): boolean {
  return cursor.segment === other.segment && cursor.index === other.index && cursor.previous === other.previous
}
