import { dirname } from 'node:path'
import { StudioError } from '../../kernel'
import { fileError, makeFolder } from '../files'
import { keepAside } from './aside'
import type { Disk } from './disk'
import { placeSnapshot } from './place-snapshot'
import { firstSegmentOfNextEra } from './segments'
import { segmentNamedAt, stampOf } from './snapshot'
import { WriteTurn } from './write-turn'

/**
 * Puts another database in the place of the one at `path`, and resolves with the folder that keeps the old one, or null
 * where there was none. Processes that have it open go on with the new one.
 */
export async function replaceDatabase(path: string, bytes: Uint8Array, disk: Disk): Promise<string | null> {
  const turn = new WriteTurn(`${path}.lock`)
  try {
    makeFolder(dirname(path))
    await turn.take()
    const aside = await keepAside(path, disk)
    const named = stampOf(path) ? segmentNamedAt(path) : null
    const segment = firstSegmentOfNextEra(path, named)
    if (await placeSnapshot(path, { bytes, segment, mayReplace: () => true, polite: false }, disk)) return aside
  } catch (error) {
    throw fileError(error, path)
  } finally {
    turn.end()
  }
  throw new StudioError('conflict', 'Another process replaced the database at the same time.', {
    hint: 'Look at it, and try again.',
  })
}
