import { StudioError } from '../../kernel'
import { type Migration, tooNew } from '../migration'
import { Connection } from './connection'
import { damaged } from './damage'
import { realDisk } from './disk'
import { loadDatabase } from './load'
import { bringUpToDate } from './open'
import { replaceDatabase } from './replace'
import { replay } from './replay'
import { unmark } from './snapshot'

/** One state of the database, while others go on writing, as a SQLite file that stands for itself; null where there is none. */
export async function copyOfDatabase(path: string): Promise<Uint8Array | null> {
  const connection = await openState(path)
  if (connection === null) return null
  try {
    return unmark(connection.export())
  } finally {
    connection.close()
  }
}

/**
 * Puts the copy in `file`, brought up to date, in the place of the database at `path`: processes that have it open go on with it.
 * The copy may also be one that was kept aside, with its log. Resolves with the folder that keeps what was there before; null
 * where nothing was.
 */
export async function restoreDatabase(
  path: string,
  file: string,
  migrations: readonly Migration[],
): Promise<string | null> {
  const connection = await openState(file).catch(asCopy)
  if (connection === null) {
    throw new StudioError('not_found', `There is no file ${file}.`, {
      hint: 'Name a copy that studio backup has made.',
    })
  }
  try {
    const flaws = connection.flaws()
    if (flaws.length > 0) asCopy(damaged(file, null, flaws[0]!))
    const steps = connection.schemaSteps()
    if (steps === 0) {
      throw new StudioError('invalid', `${file} is a database, but not one of studio.`, {
        hint: 'Name a copy that studio backup has made.',
      })
    }
    if (steps > migrations.length) throw tooNew(file)
    await bringUpToDate(connection, migrations)
    return await replaceDatabase(path, connection.export(), realDisk)
  } finally {
    connection.close()
  }
}

function asCopy(error: unknown): never {
  if (!(error instanceof StudioError) || error.code !== 'database_damaged') throw error
  throw new StudioError(error.code, error.message.replace('The database', 'The copy'), {
    hint: 'Take another copy: nothing was changed.',
    details: error.details,
    cause: error,
  })
}

async function openState(path: string): Promise<Connection | null> {
  const loaded = await loadDatabase(path, realDisk)
  if (loaded === null) return null
  loaded.log?.segment.close()
  const connection = await Connection.open(loaded.snapshot.bytes)
  try {
    replay(connection, loaded.log?.records ?? [])
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}
