import { dirname } from 'node:path'
import { type MemoizedAsync, memoizeAsync } from '../../../kernel/work/memoize-async'
import { applyMigrations, databaseTooNewError, type Migration } from '../../services/apply-migrations'
import type { CommitObserver } from '../../services/commit-observer'
import { type Database, tables } from '../../services/database'
import { makeFolder, toFileError } from '../../services/files'
import { readStamp } from '../base/base-file'
import { toBaseSource } from '../base/base-source'
import { installBase } from '../base/install-base'
import { type Disk, realDisk } from '../disk'
import { findFirstSegmentOfNextEra } from '../log/segments'
import { createMemoryStore, FileBackingStore } from './backing-store'
import { Connection } from './connection'
import { DatabaseFiles } from './database-files'
import { EmbeddedDatabase } from './embedded-database'
import { FileWriteLock } from './write-lock'

export interface FileOptions {
  disk?: Disk
  /** The minimum size of a segment before it is closed. */
  minSegmentBytes?: number
  /** The memory for pages. */
  cacheBytes?: number
  /** Compact only when the database is closed, on this thread. */
  compactsInProcess?: boolean
  /** Close the base between transactions. */
  releasesBase?: boolean
  observer?: CommitObserver | null
}

const MIN_SEGMENT_BYTES = 256 * 1024
const CACHE_BYTES = 8 * 1024 * 1024

/** Opens the database in the file at `path`. Creates it if there is none. */
export async function openFile(
  path: string,
  migrations: readonly Migration[],
  {
    disk = realDisk,
    minSegmentBytes = MIN_SEGMENT_BYTES,
    cacheBytes = CACHE_BYTES,
    compactsInProcess = false,
    releasesBase = process.platform === 'win32',
    observer = null,
  }: FileOptions = {},
): Promise<Database> {
  const files = new DatabaseFiles(path, { disk, minSegmentBytes, cacheBytes, knownSteps: migrations.length })
  while (!(await files.load())) await createFile(path, migrations, disk)
  if (files.steps > migrations.length) {
    files.unload()
    throw databaseTooNewError(path)
  }
  const store = new FileBackingStore(files, { disk, compactsInProcess, releasesBase, observer })
  const database = new EmbeddedDatabase(store, observer)
  if (files.steps < migrations.length) await database.write((tx) => applyMigrations(tables(tx), migrations))
  store.rest()
  return database
}

export async function openMemory(migrations: readonly Migration[]): Promise<Database> {
  return new EmbeddedDatabase(await createMemoryStore(await Connection.open(await createEmptyDatabase(migrations))))
}

/** Creates the database, unless another process has created it meanwhile. */
async function createFile(path: string, migrations: readonly Migration[], disk: Disk): Promise<void> {
  const lock = new FileWriteLock(`${path}.lock`)
  try {
    makeFolder(dirname(path))
    await lock.acquire()
    if (readStamp(path) !== null) return
    const segment = findFirstSegmentOfNextEra(path, null)
    const mayReplace = () => readStamp(path) === null
    const source = toBaseSource(await createEmptyDatabase(migrations))
    await installBase(path, { source, segment, mayReplace, yieldsToOthers: false }, disk)
  } catch (error) {
    throw toFileError(error, path)
  } finally {
    lock.releaseNow()
  }
}

const emptyDatabases = new WeakMap<readonly Migration[], MemoizedAsync<Uint8Array>>()

/** The bytes of a database without rows, for the caller to change. A process works them out once. */
export async function createEmptyDatabase(migrations: readonly Migration[]): Promise<Uint8Array> {
  const build = emptyDatabases.get(migrations) ?? memoizeAsync(() => buildEmptyDatabase(migrations))
  emptyDatabases.set(migrations, build)
  return (await build()).slice()
}

async function buildEmptyDatabase(migrations: readonly Migration[]): Promise<Uint8Array> {
  const connection = await Connection.open(null)
  try {
    await migrateConnection(connection, migrations)
    return connection.export()
  } finally {
    connection.close()
  }
}

/** The bytes of a SQLite file that has a first page, and nothing on it. */
export async function createFileWithoutTables(): Promise<Uint8Array> {
  const connection = await Connection.open(null)
  connection.runScript('create table first (it); drop table first')
  const bytes = connection.export()
  connection.close()
  return bytes
}

/** Applies the missing schema steps to a database in memory. */
export async function migrateConnection(connection: Connection, migrations: readonly Migration[]): Promise<void> {
  const database = new EmbeddedDatabase(await createMemoryStore(connection))
  await database.write((tx) => applyMigrations(tables(tx), migrations))
}
