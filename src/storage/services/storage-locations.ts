import { hint, StudioError, suggest } from '../../kernel'
import type { Migration } from './apply-migrations'
import type { CopyTarget, Database, StorageContext } from './database'
import { isPostgresAddress, redactAddress } from './database-address'
import { requireUnprotectedFile } from './protected-files'

/** The context of an operation that copies or replaces the whole database. */
export interface StorageLocationsContext extends StorageContext {
  locations: StorageLocations
}

export interface StorageLocations {
  /** Where the database in use is: a file's path or a `postgres://` address. */
  current: string
  /** Other files of studio, which no export may overwrite. */
  protectedFiles: readonly string[]
  /** The default target of a migration; null if none is set. */
  target: string | null
  /** Resolves user input to an absolute path, or to a `postgres://` address as given. */
  resolveAddress(input: string): string
  /** Opens another database to copy everything into. */
  openTarget(address: string): Promise<CopyTarget>
  /** The schema of this version. */
  migrations: readonly Migration[]
  /** Opens a new database in memory. */
  openEmpty(): Promise<Database>
}

/** Resolves the paths of the database in use and of a copy. Throws unless both are files. */
export function resolveCopyLocations(locations: StorageLocations, input: string): { database: string; copy: string } {
  const database = locations.current
  if (isPostgresAddress(database)) {
    throw new StudioError(
      'invalid',
      `The database in use is ${redactAddress(database)}, which studio backup cannot copy.`,
      {
        hint: hint`Use pg_dump and pg_restore; or copy it into a file: ${suggest('storage.migrate', { to: '<file>' })}`,
      },
    )
  }
  const copy = locations.resolveAddress(input)
  if (isPostgresAddress(copy)) throw new StudioError('invalid', 'Specify a file, not an address.')
  requireUnprotectedFile(copy, { database, others: locations.protectedFiles })
  return { database, copy }
}
