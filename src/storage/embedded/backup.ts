import { StudioError } from '../../kernel'
import { databaseTooNewError, type Migration } from '../services/apply-migrations'
import { Connection } from './connection'
import { realDisk } from './disk'
import { loadDatabase, replayRecords } from './load-database'
import { migrateConnection } from './open-file'
import { replaceDatabase } from './replace-database'
import {
  describeObjects,
  findSchemaDifferences,
  hasDifferences,
  listMissingTables,
  repairSchema,
} from './schema-differences'
import { clearMarks } from './snapshot'
import { damagedError } from './storage-errors'

/** The bytes of a self-contained SQLite file with one state of the database; null if there is none. Other processes can keep writing. */
export async function exportDatabase(path: string): Promise<Uint8Array | null> {
  const connection = await openCurrentState(path)
  if (connection === null) return null
  try {
    return clearMarks(connection.export())
  } finally {
    connection.close()
  }
}

export interface Restored {
  /** The folder with the replaced files; null if there were none. */
  keptAside: string | null
  /** Triggers and views of the copy that studio did not create, and that the database does not have. */
  removed: string[]
  /** Triggers and views that the copy lacked, or had in another form. */
  recreated: string[]
}

/**
 * Migrates the copy in `file` and replaces the database at `path` with it. Processes that have the database open continue with the copy.
 * The copy may also be an archived database with its log. A copy may come from anywhere, so its foreign triggers and views are left out.
 */
export async function restoreFromCopy(path: string, file: string, migrations: readonly Migration[]): Promise<Restored> {
  const connection = await openCurrentState(file).catch(rethrowAsCopyError)
  if (connection === null) {
    throw new StudioError('not_found', `There is no file ${file}.`, {
      hint: 'Name a file that studio backup created.',
    })
  }
  try {
    const [integrityError] = connection.findIntegrityErrors()
    if (integrityError !== undefined) rethrowAsCopyError(damagedError(file, null, integrityError))
    const steps = connection.countSchemaSteps()
    if (steps === 0) {
      throw new StudioError('invalid', `${file} is a database, but studio did not create it.`, {
        hint: 'Name a file that studio backup created.',
      })
    }
    if (steps > migrations.length) throw databaseTooNewError(file)
    const differences = await findSchemaDifferences(connection, migrations)
    const [missing] = listMissingTables(differences)
    if (missing !== undefined) rethrowAsCopyError(damagedError(file, null, `the table ${missing} is missing`))
    try {
      repairSchema(connection, differences, file)
    } catch (error) {
      rethrowAsCopyError(error)
    }
    if (hasDifferences(await findSchemaDifferences(connection, migrations)))
      rethrowAsCopyError(damagedError(file, null, 'its schema is not that of studio'))
    await migrateConnection(connection, migrations)
    return {
      keptAside: await replaceDatabase(path, connection.export(), realDisk),
      removed: describeObjects(differences.foreign),
      recreated: describeObjects(differences.missing),
    }
  } finally {
    connection.close()
  }
}

function rethrowAsCopyError(error: unknown): never {
  if (!(error instanceof StudioError) || error.code !== 'database_damaged') throw error
  throw new StudioError(error.code, error.message.replace('The database', 'The copy'), {
    hint: 'Nothing was changed. Use another copy.',
    details: error.details,
    cause: error,
  })
}

async function openCurrentState(path: string): Promise<Connection | null> {
  const loaded = await loadDatabase(path, realDisk)
  if (loaded === null) return null
  loaded.log?.segment.close()
  const connection = await Connection.open(loaded.snapshot.bytes, path)
  try {
    replayRecords(connection, loaded.log?.records ?? [])
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}
