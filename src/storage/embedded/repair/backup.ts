import { StudioError } from '../../../kernel'
import { databaseTooNewError, type Migration } from '../../services/apply-migrations'
import { toFileError } from '../../services/files'
import { readPieces } from '../base/base-source'
import { realDisk } from '../disk'
import { DatabaseFiles } from '../engine/database-files'
import { migrateConnection } from '../engine/open-file'
import { replaceDatabase } from '../engine/replace-database'
import { ScratchPages } from '../engine/scratch-pages'
import { damagedError, needsRepair } from '../storage-errors'
import {
  describeObjects,
  findSchemaDifferences,
  hasDifferences,
  listMissingTables,
  repairSchema,
} from './schema-differences'

const READING = {
  disk: realDisk,
  minSegmentBytes: Number.POSITIVE_INFINITY,
  knownSteps: Number.POSITIVE_INFINITY,
  cacheBytes: 8 * 1024 * 1024,
  confirmsWrites: false,
}

/**
 * Opens the current state of a database to read it, or to change it in the scratch file; null if there is none. The caller unloads it.
 */
export async function openCurrentState(path: string, scratch?: ScratchPages): Promise<DatabaseFiles | null> {
  const files = new DatabaseFiles(path, { ...READING, scratch })
  return (await files.load()) ? files : null
}

/**
 * Passes on the pieces of a self-contained SQLite file with one state of the database. Null if there is none. Other processes can keep
 * writing.
 */
export async function exportDatabase<R>(
  path: string,
  save: (pieces: Iterable<Buffer>) => Promise<R>,
): Promise<R | null> {
  const files = await openCurrentState(path)
  if (files === null) return null
  try {
    return await save(readFilePieces(files))
  } catch (error) {
    throw toFileError(error, path)
  } finally {
    files.unload()
  }
}

function* readFilePieces(files: DatabaseFiles): Generator<Buffer> {
  for (const { bytes } of readPieces(files.toBaseSource())) yield bytes
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
  const scratch = new ScratchPages(path)
  const copy = await openCurrentState(file, scratch).catch(rethrowAsCopyError)
  if (copy === null) {
    throw new StudioError('not_found', `There is no file ${file}.`, {
      hint: 'Specify a file that studio backup created.',
    })
  }
  const { connection } = copy
  try {
    // An error ends the restore, so nothing is ever rolled back: without a journal, the pages before a change need no memory.
    connection.runScript('pragma journal_mode = off')
    const [integrityError] = connection.findIntegrityErrors()
    if (integrityError !== undefined) rethrowAsCopyError(damagedError(file, null, integrityError))
    const steps = connection.countSchemaSteps()
    if (steps === 0) {
      throw new StudioError('invalid', `${file} is a database, but studio did not create it.`, {
        hint: 'Specify a file that studio backup created.',
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
      keptAside: await replaceDatabase(path, copy.toBaseSource(), realDisk),
      removed: describeObjects(differences.foreign),
      recreated: describeObjects(differences.missing),
    }
  } catch (error) {
    return rethrowAsCopyError(error)
  } finally {
    copy.unload()
    scratch.close()
  }
}

function rethrowAsCopyError(error: unknown): never {
  if (!needsRepair(error)) throw error
  throw new StudioError(error.code, error.message.replace('The database', 'The copy'), {
    hint: 'Nothing was changed. Use another copy.',
    details: error.details,
    cause: error,
  })
}
