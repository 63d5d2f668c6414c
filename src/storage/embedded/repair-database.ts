import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { StudioError } from '../../kernel'
import type { Migration } from '../services/apply-migrations'
import { openCurrentState } from './backup'
import { BaseFile, readNamedSegment, readStamp } from './base-file'
import { type BaseSource, toBaseSource, withChanges } from './base-source'
import { Connection } from './connection'
import type { PageStorage } from './database-pages'
import { realDisk } from './disk'
import { createEmptyDatabase } from './open-file'
import { fingerprintDatabase, replaceDatabase } from './replace-database'
import { salvageLog, salvageRows } from './salvage'
import {
  describeObjects,
  findSchemaDifferences,
  hasDifferences,
  listMissingTables,
  repairSchema,
} from './schema-differences'
import { isSameEra, listSegments, type SegmentEntry, segmentPath } from './segments'
import { replayStatementLog } from './statement-log'
import { verifyFiles } from './verify-files'

export interface RepairResult {
  /** The folder with the damaged files. */
  keptAside: string
  /** Commits of the log that were applied. */
  commits: number
  /** Descriptions of the data that could not be saved. */
  lost: string[]
  /** Tables, indexes, triggers and views that studio did not create. */
  removed: string[]
  /** Tables, indexes, triggers and views that were missing, or existed in another form. A table is empty. */
  recreated: string[]
}

/** Creates a new database from all data that can be read, with the schema of the migrations. Null if nothing had to be repaired. */
export async function repairDatabase(path: string, migrations: readonly Migration[]): Promise<RepairResult | null> {
  if (!existsSync(dirname(path))) return null
  // If only the schema needs repair, other processes may write until the database is replaced.
  const onlyIf = fingerprintDatabase(path)
  if (await isSound(path, migrations)) return null
  const salvaged = await salvage(path, migrations)
  try {
    const { connection, commits } = salvaged
    const differences = await findSchemaDifferences(connection, migrations)
    repairSchema(connection, differences, path)
    const lost = [
      ...salvaged.lost,
      ...listMissingTables(differences).map((table) => `all rows of the table ${table}`),
      ...connection.findIntegrityErrors(),
    ]
    const changed = connection.changedPages
    const source = changed === null ? toBaseSource(connection.export()) : withChanges(salvaged.source, changed)
    return {
      keptAside: (await replaceDatabase(path, source, realDisk, { onlyIf }))!,
      commits,
      lost,
      removed: describeObjects(differences.foreign),
      recreated: describeObjects(differences.missing),
    }
  } finally {
    salvaged.connection.close()
    salvaged.close()
  }
}

async function isSound(path: string, migrations: readonly Migration[]): Promise<boolean> {
  try {
    const files = await openCurrentState(path)
    if (files === null) return true
    try {
      verifyFiles(files)
      if (files.connection.findIntegrityErrors().length > 0) return false
      return !hasDifferences(await findSchemaDifferences(files.connection, migrations))
    } finally {
      files.unload()
    }
  } catch (error) {
    if (error instanceof StudioError && error.code === 'database_damaged') return false
    throw error
  }
}

interface Salvaged {
  connection: Connection
  /** What the connection reads, unless it is in memory. */
  source: BaseSource
  commits: number
  lost: string[]
  close(): void
}

async function salvage(path: string, migrations: readonly Migration[]): Promise<Salvaged> {
  const { base, lost } = openReadableBase(path)
  const source = base ? withoutChecksums(base) : toBaseSource(await createEmptyDatabase(migrations))
  const close = () => base?.close()
  if (base?.kind === 'foreign') return chooseState([{ source, commits: 0, lost }], { migrations, path, close })
  if (base?.kind === 'statements') return salvageStatements(path, base)
  const { found, missing } = findSegments(path)
  const log = salvageLog(toStorage(source), found)
  const whole = {
    source: withChanges(source, log.pages),
    commits: log.commits,
    lost: [...lost, ...missing, ...log.lost],
  }
  const dropped = log.commits - log.before.commits
  const before = {
    source: withChanges(source, log.before.pages),
    commits: log.before.commits,
    lost: dropped > 0 ? [...whole.lost, `${dropped} later commits, which do not fit without it`] : whole.lost,
  }
  return chooseState(log.lost.length > 0 ? [whole, before] : [whole], { migrations, path, close })
}

type State = Pick<Salvaged, 'source' | 'commits' | 'lost'>

/** The first state in which SQLite finds no errors, or the readable rows of the last one. */
async function chooseState(
  states: readonly State[],
  { migrations, path, close }: { migrations: readonly Migration[]; path: string; close(): void },
): Promise<Salvaged> {
  for (const state of states) {
    const connection = await Connection.openPages(toStorage(state.source), { name: path })
    if (isConsistent(connection)) return { ...state, connection, close }
    connection.close()
  }
  const last = states.at(-1)!
  const { connection, lost } = await salvageRows(await Connection.openPages(toStorage(last.source), { name: path }))
  if (connection.countSchemaSteps() > 0) return { ...last, connection, lost: [...last.lost, ...lost], close }
  connection.close()
  const blank = await Connection.open(await createEmptyDatabase(migrations))
  return {
    ...last,
    connection: blank,
    commits: 0,
    lost: [...last.lost, ...lost, 'all rows: the list of tables cannot be read'],
    close,
  }
}

function isConsistent(connection: Connection): boolean {
  try {
    return connection.findIntegrityErrors().length === 0 && connection.run('pragma foreign_key_check').rows.length === 0
  } catch {
    return false
  }
}

async function salvageStatements(path: string, base: BaseFile): Promise<Salvaged> {
  const connection = await Connection.openPages(toStorage(base), { name: path })
  const log = replayStatementLog(path, base.marks!.userVersion, connection, { savesRest: true })
  return { source: withoutChecksums(base), connection, commits: log.commits, lost: log.lost, close: () => base.close() }
}

/** The checksums are those of the pages before the damage. */
function withoutChecksums(base: BaseFile): BaseSource {
  return {
    pageSize: base.pageSize,
    pageCount: base.pageCount,
    readRange: (first, count) => base.readRange(first, count),
    checksumOf: () => null,
    close: () => base.close(),
  }
}

/** Pages as they are, whether or not they match their checksums. */
function toStorage(source: BaseSource): PageStorage {
  const zeros = new Uint8Array(source.pageSize)
  return {
    pageSize: source.pageSize,
    read: (page) => (page <= source.pageCount ? source.readRange(page, 1) : zeros),
  }
}

function openReadableBase(path: string): { base: BaseFile | null; lost: string[] } {
  try {
    const base = BaseFile.open(path, { isDamaged: true })
    if (base === null) return { base, lost: [`the whole base ${path}`] }
    return { base, lost: base.findDamage().map((what) => `${path}, ${what}`) }
  } catch (error) {
    if (error instanceof StudioError && error.code === 'database_damaged')
      return { base: null, lost: [`the whole base ${path}`] }
    throw error
  }
}

/** The segments that the base does not contain, and descriptions of the missing ones. */
function findSegments(path: string): { found: SegmentEntry[]; missing: string[] } {
  const named = readStamp(path) ? readNamedSegment(path) : null
  const all = listSegments(path)
  // A failed restore left the segments of another era.
  const own = named === null ? [] : all.filter(({ segment }) => segment >= named && isSameEra(segment, named))
  const found = own.length > 0 ? own : all
  if (named !== null && found.length === 0) return { found, missing: [`the whole file ${segmentPath(path, named)}`] }
  let expected = named ?? found[0]?.segment ?? 0
  const missing: string[] = []
  for (const { segment } of found) {
    if (segment > expected && isSameEra(segment, expected))
      missing.push(describeMissingFiles(path, expected, segment - 1))
    expected = segment + 1
  }
  return { found, missing }
}

function describeMissingFiles(path: string, first: number, last: number): string {
  return first === last
    ? `the whole file ${segmentPath(path, first)}`
    : `the whole files ${segmentPath(path, first)} to ${segmentPath(path, last)}`
}
