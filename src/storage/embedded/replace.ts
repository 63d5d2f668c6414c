import { dirname } from 'node:path'
import { StudioError } from '../../kernel'
import { fileError, makeFolder } from '../files'
import { discardAside, keepAside } from './aside'
import type { Disk } from './disk'
import { placeSnapshot } from './place-snapshot'
import { firstSegmentOfNextEra, isBefore, listSegments } from './segments'
import { segmentNamedAt, stampOf } from './snapshot'
import { WriteTurn } from './write-turn'

/** The log may be folded meanwhile, for which nobody takes a turn: then what was kept aside cannot be opened. */
const MOST_ATTEMPTS = 3

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
  const turn = new WriteTurn(`${path}.lock`)
  try {
    makeFolder(dirname(path))
    await turn.take()
    for (let attempt = 0; attempt < MOST_ATTEMPTS && turn.isOurs; attempt++) {
      const before = stateOf(path)
      if (onlyIf !== undefined && before !== onlyIf) break
      const named = stampOf(path) ? segmentNamedAt(path) : null
      const segment = firstSegmentOfNextEra(path, named)
      const aside = await keepAside(path, disk)
      const mayReplace = () => turn.isOurs && stateOf(path) === before
      let isPlaced = false
      try {
        isPlaced = await placeSnapshot(path, { bytes, segment, mayReplace, polite: false }, disk)
        if (isPlaced) return aside
      } finally {
        if (!isPlaced && isOlderThan(path, segment)) discardAside(aside)
      }
    }
  } catch (error) {
    throw fileError(error, path)
  } finally {
    turn.end()
  }
  throw new StudioError('conflict', 'Other processes changed the database at the same time; it was not replaced.', {
    hint: 'Look at it, and try again.',
  })
}

/** Another one after each commit, and after each snapshot. */
export function stateOf(path: string): string {
  const stamp = stampOf(path)
  return JSON.stringify([stamp?.ino, stamp?.size, stamp?.mtimeMs, listSegments(path)])
}

/** Whether what is there is surely older than a database whose log begins in `segment`. */
function isOlderThan(path: string, segment: number): boolean {
  const named = segmentNamedAt(path)
  return named !== null && isBefore(named, segment)
}
