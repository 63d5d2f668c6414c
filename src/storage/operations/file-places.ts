import { StudioError } from '../../kernel'
import { isPostgresAddress, redactAddress } from '../services/database-address'
import { requireUnprotectedFile } from '../services/protected-files'
import type { StorageLocations } from '../services/storage-locations'

/** The files of a copy and of the database in use, which must be one in a file. */
export function resolveCopyLocations(places: StorageLocations, typed: string): { database: string; copy: string } {
  const database = places.current
  if (isPostgresAddress(database)) {
    throw new StudioError('invalid', `The database in use is ${redactAddress(database)}, which its own tools copy.`, {
      hint: 'Use pg_dump and pg_restore; or copy it into a file: studio db migrate --to <file>',
    })
  }
  const copy = places.resolveAddress(typed)
  if (isPostgresAddress(copy)) throw new StudioError('invalid', 'Name a file, not an address.')
  requireUnprotectedFile(copy, { database, others: places.protectedFiles })
  return { database, copy }
}
