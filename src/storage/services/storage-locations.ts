import { StudioError } from '../../kernel'
import type { CopyTarget } from '../transfer/copy-target'
import type { Migration } from './apply-migrations'
import type { Database, StorageContext } from './database'
import { isPostgresAddress, redactAddress } from './database-address'
import { requireUnprotectedFile } from './protected-files'

/** What an operation that moves the whole database asks for. */
export interface StorageLocationsContext extends StorageContext {
  locations: StorageLocations
}

export interface StorageLocations {
  /** Where the database in use is: a file's path or a `postgres://` address. */
  current: string
  /** Other files of studio's own, which nothing that is exported may replace. */
  protectedFiles: readonly string[]
  /** Where to move it unless the caller says; null where nobody did. */
  target: string | null
  /** What a person has typed as what `open` takes: a path made absolute, an address as it is. */
  resolveAddress(typed: string): string
  /** Another database, to copy everything into. */
  openTarget(address: string): Promise<CopyTarget>
  /** The schema of this version. */
  migrations: readonly Migration[]
  /** A new one in memory. */
  openEmpty(): Promise<Database>
}

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
