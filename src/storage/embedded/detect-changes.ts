import type { LogPosition } from '../services/commit-observer'
import { decodeHead, HEAD_BYTES } from './log-record'
import { type LogCursor, scanSegment, startOfSegment } from './scan-segment'
import { SegmentFile } from './segments'
import { readMarks } from './snapshot'

/** `unknown`: the position is not one of this database, or lies too far back; only the rows can tell. */
export type LogChange = 'nothing' | 'something' | 'unknown'

/**
 * Whether commits after `position` mention `word`, which stands in every statement that matters to the asker. Looks at a few
 * hundred bytes where nothing has happened, and never at the rows.
 * @param until looks no further than this.
 */
export function detectChanges(
  path: string,
  position: LogPosition,
  { word, until }: { word: string; until?: LogPosition },
): LogChange {
  try {
    const marks = readMarks(path)
    if (marks === null || marks.checksum !== position.snapshot || marks.segment > position.segment) return 'unknown'
    if (!hasLastRecord(path, position, marks.segment)) return 'unknown'
    return scanFrom(path, position, { word, until })
  } catch {
    return 'unknown'
  }
}

/** Once the snapshot has taken it up, the snapshot's own checksum speaks for it. */
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
  let place: LogCursor = from
  for (;;) {
    const segment = SegmentFile.open(path, place.segment)
    if (segment === null || segment.size < place.offset) return 'unknown'
    try {
      const end = until?.segment === place.segment ? until.offset : segment.size
      const found = scanSegment(segment.read(place.offset, end), place)
      if (found.flaw || found.hasNewerVersion) return 'unknown'
      if (found.records.some(({ payload }) => payload.includes(word))) return 'something'
      if (until?.segment === place.segment) return isAt(found.cursor, until) ? 'nothing' : 'unknown'
      if (!found.isSealed) return until === undefined ? 'nothing' : 'unknown'
      place = startOfSegment(place.segment + 1)
    } finally {
      segment.close()
    }
  }
}

function isAt(place: LogCursor, other: LogCursor): boolean {
  return place.segment === other.segment && place.index === other.index && place.previous === other.previous
}
