import { dirname } from 'node:path'
import { type Database, tables } from '../database'
import { fileError, makeFolder } from '../files'
import { type Migration, migrate, tooNew } from '../migration'
import { memoryBacking } from './backing'
import { type Disk, realDisk } from './disk'
import { EmbeddedDatabase } from './embedded-database'
import { FileBacking } from './file-backing'
import { placeSnapshot } from './place-snapshot'
import { Replica } from './replica'
import { listSegments } from './segments'
import { stampOf } from './snapshot'
import { WriteTurn } from './write-turn'

export interface FileOptions {
  disk?: Disk
  /** How long a segment of the log is at least before it is closed. */
  leastFoldBytes?: number
  /** Fold only when it is closed, on this thread. */
  foldHere?: boolean
}

const LEAST_FOLD_BYTES = 256 * 1024

/** Opens the database in the file at `path`, and makes it where there is none. */
export async function openFile(
  path: string,
  migrations: readonly Migration[],
  { disk = realDisk, leastFoldBytes = LEAST_FOLD_BYTES, foldHere = false }: FileOptions = {},
): Promise<Database> {
  const replica = new Replica(path, { disk, leastFoldBytes, knownSteps: migrations.length })
  while (!(await replica.load())) await create(path, migrations, disk)
  if (replica.steps > migrations.length) throw tooNew(path)
  const database = new EmbeddedDatabase(new FileBacking(replica, { disk, foldHere }))
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
    const segment = Math.max(0, ...listSegments(path).map((left) => left.segment)) + 1
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
  const backing = await memoryBacking()
  const database = new EmbeddedDatabase(backing)
  await database.write((tx) => migrate(tables(tx), migrations, null))
  const bytes = backing.connection.export()
  await database.close()
  return bytes
}
