import { dirname } from 'node:path'
import { type Database, tables } from '../database'
import { fileError, makeFolder } from '../files'
import type { CommitWatch } from '../log-position'
import { type Migration, migrate, tooNew } from '../migration'
import { memoryBacking } from './backing'
import { Connection } from './connection'
import { type Disk, realDisk } from './disk'
import { EmbeddedDatabase } from './embedded-database'
import { FileBacking } from './file-backing'
import { placeSnapshot } from './place-snapshot'
import { Replica } from './replica'
import { firstSegmentOfNextEra } from './segments'
import { stampOf } from './snapshot'
import { WriteTurn } from './write-turn'

export interface FileOptions {
  disk?: Disk
  /** How long a segment of the log is at least before it is closed. */
  leastFoldBytes?: number
  /** Fold only when it is closed, on this thread. */
  foldHere?: boolean
  watch?: CommitWatch | null
}

const LEAST_FOLD_BYTES = 256 * 1024

/** Opens the database in the file at `path`, and makes it where there is none. */
export async function openFile(
  path: string,
  migrations: readonly Migration[],
  { disk = realDisk, leastFoldBytes = LEAST_FOLD_BYTES, foldHere = false, watch = null }: FileOptions = {},
): Promise<Database> {
  const replica = new Replica(path, { disk, leastFoldBytes, knownSteps: migrations.length })
  while (!(await replica.load())) await create(path, migrations, disk)
  if (replica.steps > migrations.length) throw tooNew(path)
  const database = new EmbeddedDatabase(new FileBacking(replica, { disk, foldHere, watch }), watch)
  if (replica.steps < migrations.length) await database.write((tx) => migrate(tables(tx), migrations, path))
  return database
}

export async function openMemory(migrations: readonly Migration[]): Promise<Database> {
  const database = new EmbeddedDatabase(await memoryBacking())
  await database.write((tx) => migrate(tables(tx), migrations, null))
  return database
}

/** Puts a new database there, unless another process has done so meanwhile. */
async function create(path: string, migrations: readonly Migration[], disk: Disk): Promise<void> {
  const turn = new WriteTurn(`${path}.lock`)
  try {
    makeFolder(dirname(path))
    await turn.take()
    if (stampOf(path) !== null) return
    const segment = firstSegmentOfNextEra(path, null)
    const mayReplace = () => stampOf(path) === null
    await placeSnapshot(path, { bytes: await newDatabase(migrations), segment, mayReplace, polite: false }, disk)
  } catch (error) {
    throw fileError(error, path)
  } finally {
    turn.end()
  }
}

/** The bytes of a database that holds nothing yet. */
export async function newDatabase(migrations: readonly Migration[]): Promise<Uint8Array> {
  const connection = await Connection.open(null)
  try {
    await bringUpToDate(connection, migrations)
    return connection.export()
  } finally {
    connection.close()
  }
}

/** Applies the schema steps that a database in memory lacks. */
export async function bringUpToDate(connection: Connection, migrations: readonly Migration[]): Promise<void> {
  const database = new EmbeddedDatabase(await memoryBacking(connection))
  await database.write((tx) => migrate(tables(tx), migrations, null))
}
