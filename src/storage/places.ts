import type { Database, StorageContext } from './database'
import type { Migration } from './migration'
import type { Target } from './transfer/target'

/** What an operation that moves the whole database asks for. */
export interface StoragePlacesContext extends StorageContext {
  places: StoragePlaces
}

export interface StoragePlaces {
  /** Where the database in use is: a file's path or a `postgres://` address. */
  current: string
  /** Other files of studio's own, which nothing that is exported may replace. */
  ownFiles: readonly string[]
  /** Where to move it unless the caller says; null where nobody did. */
  target: string | null
  /** What a person has typed as what `open` takes: a path made absolute, an address as it is. */
  locate(typed: string): string
  /** Another database, to copy everything into. */
  openTarget(address: string): Promise<Target>
  /** The schema of this version. */
  migrations: readonly Migration[]
  /** A new one in memory. */
  openBlank(): Promise<Database>
}
