import { StudioError } from '../../kernel'
import { isPostgresAddress, shownAddress } from '../address'
import { refuseOwnFile } from '../own-files'
import type { StoragePlaces } from '../places'

/** The files of a copy and of the database in use, which must be one in a file. */
export function filePlaces(places: StoragePlaces, typed: string): { database: string; copy: string } {
  const database = places.current
  if (isPostgresAddress(database)) {
    throw new StudioError('invalid', `The database in use is ${shownAddress(database)}, which its own tools copy.`, {
      hint: 'Use pg_dump and pg_restore; or copy it into a file: studio db migrate --to <file>',
    })
  }
  const copy = places.locate(typed)
  if (isPostgresAddress(copy)) throw new StudioError('invalid', 'Name a file, not an address.')
  refuseOwnFile(copy, { database, others: places.ownFiles })
  return { database, copy }
}
