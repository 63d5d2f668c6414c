import type { LogPosition } from '../log-position'
import { HEAD_BYTES, headAt } from './record'
import { type Place, scan, startOf } from './scan'
import { SegmentFile } from './segment-file'
import { marksAt } from './snapshot'

/** `unknown`: the position is not one of this database, or lies too far back; only the rows can tell. */
export type ChangedSince = 'nothing' | 'something' | 'unknown'

/**
 * Whether commits after `position` mention `word`, which stands in every statement that matters to the asker. Looks at a few
 * hundred bytes where nothing has happened, and never at the rows.
 * @param until looks no further than this.
 */
export function changedSince(
  path: string,
  position: LogPosition,
  { word, until }: { word: string; until?: LogPosition },
): ChangedSince {
  try {
    const marks = marksAt(path)
    if (marks === null || marks.checksum !== position.snapshot || marks.segment > position.segment) return 'unknown'
    if (!holdsLast(path, position, marks.segment)) return 'unknown'
    return readOn(path, position, { word, until })
  } catch {
    return 'unknown'
  }
}

/** Once the snapshot has taken it up, the snapshot's own checksum speaks for it. */
function holdsLast(path: string, { last }: LogPosition, first: number): boolean {
  if (last === null || last.segment < first) return true
  const segment = SegmentFile.open(path, last.segment)
  try {
    const bytes = segment?.read(last.offset, last.offset + HEAD_BYTES)
    return bytes !== undefined && headAt(bytes, 0)?.checksum === last.checksum
  } finally {
    segment?.close()
  }
}

function readOn(path: string, from: Place, { word, until }: { word: string; until?: Place }): ChangedSince {
  let place: Place = from
  for (;;) {
    const segment = SegmentFile.open(path, place.segment)
    if (segment === null || segment.size < place.offset) return 'unknown'
    try {
      const end = until?.segment === place.segment ? until.offset : segment.size
      const found = scan(segment.read(place.offset, end), place)
      if (found.flaw || found.newerVersion) return 'unknown'
      if (found.records.some(({ payload }) => payload.includes(word))) return 'something'
      if (until?.segment === place.segment) return isAt(found.place, until) ? 'nothing' : 'unknown'
      if (!found.sealed) return until === undefined ? 'nothing' : 'unknown'
      place = startOf(place.segment + 1)
    } finally {
      segment.close()
    }
  }
}

function isAt(place: Place, other: Place): boolean {
  return place.segment === other.segment && place.index === other.index && place.previous === other.previous
}
