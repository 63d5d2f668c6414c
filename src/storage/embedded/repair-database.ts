import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Migration } from '../services/apply-migrations'
import { toFileError } from '../services/files'
import { exportDatabase } from './backup'
import { Connection } from './connection'
import { OWNER_ONLY_MODE, realDisk } from './disk'
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
import { clearJournalMode, hasMarks, hasValidChecksum, isSqlite, readNamedSegment, readStamp } from './snapshot'

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
  /** A file with the statements that were read but could not be applied; null if there are none. */
  unfit: string | null
}

/** Creates a new database from all data that can be read, with the schema of the migrations. Null if nothing had to be repaired. */
export async function repairDatabase(path: string, migrations: readonly Migration[]): Promise<RepairResult | null> {
  if (!existsSync(dirname(path))) return null
  // If only the schema needs repair, other processes may write until the database is replaced.
  const onlyIf = fingerprintDatabase(path)
  if (await isSound(path, migrations)) return null
  const base = await loadReadableSnapshot(path, () => createEmptyDatabase(migrations))
  const { connection } = base
  try {
    const { found, missing } = findSegments(path)
    const log = salvageLog(connection, found)
    const differences = await findSchemaDifferences(connection, migrations)
    repairSchema(connection, differences, path)
    const lost = [
      ...base.lost,
      ...missing,
      ...log.lost,
      ...listMissingTables(differences).map((table) => `all rows of the table ${table}`),
      ...connection.findIntegrityErrors(),
    ]
    const keptAside = (await replaceDatabase(path, connection.export(), realDisk, { onlyIf }))!
    let unfit: string | null = null
    if (log.unfit.length > 0) {
      unfit = join(keptAside, 'not-applied.ndjson')
      writeFileSync(unfit, log.unfit.map((commit) => `${JSON.stringify(commit)}\n`).join(''), { mode: OWNER_ONLY_MODE })
    }
    return {
      keptAside,
      commits: log.applied,
      lost,
      removed: describeObjects(differences.foreign),
      recreated: describeObjects(differences.missing),
      unfit,
    }
  } finally {
    connection.close()
  }
}

async function isSound(path: string, migrations: readonly Migration[]): Promise<boolean> {
  try {
    const bytes = await exportDatabase(path)
    if (bytes === null) return true
    const connection = await Connection.open(bytes)
    try {
      if (connection.findIntegrityErrors().length > 0) return false
      return !hasDifferences(await findSchemaDifferences(connection, migrations))
    } finally {
      connection.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'database_damaged') return false
    throw error
  }
}

async function loadReadableSnapshot(
  path: string,
  blank: () => Promise<Uint8Array>,
): Promise<{ connection: Connection; lost: string[] }> {
  const bytes = readStamp(path) ? readFile(path) : null
  if (bytes === null || !isSqlite(bytes)) {
    return { connection: await Connection.open(await blank()), lost: [`the whole snapshot ${path}`] }
  }
  if (!hasMarks(bytes)) clearJournalMode(bytes)
  if (await isSoundSqlite(bytes)) {
    const lost =
      hasMarks(bytes) && !hasValidChecksum(bytes) ? ['single values of the snapshot: its checksum does not match'] : []
    return { connection: await Connection.open(bytes), lost }
  }
  const { connection, lost } = await salvageRows(bytes)
  if (connection.countSchemaSteps() > 0) return { connection, lost }
  connection.close()
  return { connection: await Connection.open(await blank()), lost: [...lost, `the whole snapshot ${path}`] }
}

/** Checks a copy, because the engine may change the bytes. */
async function isSoundSqlite(bytes: Buffer): Promise<boolean> {
  const connection = await Connection.open(Buffer.from(bytes))
  try {
    return connection.findIntegrityErrors().length === 0
  } catch {
    return false
  } finally {
    connection.close()
  }
}

/** The segments that the snapshot does not contain, and descriptions of the missing ones. */
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

function readFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw toFileError(error, path)
  }
}
