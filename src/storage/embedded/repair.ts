import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileError } from '../files'
import { copyOfDatabase } from './backup'
import { Connection } from './connection'
import { OWNER_ALONE, realDisk } from './disk'
import { replaceDatabase } from './replace'
import { salvageLog } from './salvage-log'
import { salvageRows } from './salvage-rows'
import { areOfOneEra, listSegments, type SegmentEntry, segmentPath } from './segments'
import { fitsItsChecksum, isMarked, isSqlite, segmentNamedAt, stampOf, withoutWriteAheadLog } from './snapshot'

export interface Repaired {
  /** The folder that keeps the damaged files. */
  keptAside: string
  /** Commits of the log that were applied. */
  commits: number
  /** What could not be saved, in words; empty where all was. */
  lost: string[]
  /** A file with the statements that could be read and not be applied; null where there are none. */
  unfit: string | null
}

/**
 * Makes a sound database out of all that can be read. `blank` gives the bytes of an empty one, for the case that there is no
 * snapshot. Null where nothing had to be mended.
 */
export async function repairDatabase(path: string, blank: () => Promise<Uint8Array>): Promise<Repaired | null> {
  if (await isSound(path)) return null
  const base = await readableSnapshot(path, blank)
  const { connection } = base
  try {
    const { found, missing } = segmentsOf(path)
    const log = salvageLog(connection, found)
    const lost = [...base.lost, ...missing, ...log.lost, ...connection.flaws()]
    const keptAside = (await replaceDatabase(path, connection.export(), realDisk))!
    let unfit: string | null = null
    if (log.unfit.length > 0) {
      unfit = join(keptAside, 'not-applied.ndjson')
      writeFileSync(unfit, log.unfit.map((commit) => `${JSON.stringify(commit)}\n`).join(''), { mode: OWNER_ALONE })
    }
    return { keptAside, commits: log.applied, lost, unfit }
  } finally {
    connection.close()
  }
}

async function isSound(path: string): Promise<boolean> {
  try {
    const bytes = await copyOfDatabase(path)
    if (bytes === null) return true
    const connection = await Connection.open(bytes)
    const flaws = connection.flaws()
    connection.close()
    return flaws.length === 0
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'database_damaged') return false
    throw error
  }
}

async function readableSnapshot(
  path: string,
  blank: () => Promise<Uint8Array>,
): Promise<{ connection: Connection; lost: string[] }> {
  const bytes = stampOf(path) ? readFile(path) : null
  if (bytes === null || !isSqlite(bytes)) {
    return { connection: await Connection.open(await blank()), lost: [`the whole snapshot ${path}`] }
  }
  if (!isMarked(bytes)) withoutWriteAheadLog(bytes)
  if (await isSoundSqlite(bytes)) {
    const lost =
      isMarked(bytes) && !fitsItsChecksum(bytes) ? ['single values of the snapshot: one is not as it was written'] : []
    return { connection: await Connection.open(bytes), lost }
  }
  const { connection, lost } = await salvageRows(bytes)
  if (connection.schemaSteps() > 0) return { connection, lost }
  connection.close()
  return { connection: await Connection.open(await blank()), lost: [...lost, `the whole snapshot ${path}`] }
}

/** The engine may change what it is given. */
async function isSoundSqlite(bytes: Buffer): Promise<boolean> {
  const connection = await Connection.open(Buffer.from(bytes))
  try {
    return connection.flaws().length === 0
  } catch {
    return false
  } finally {
    connection.close()
  }
}

/** The segments that the snapshot does not stand for already, and which of them are missing. */
function segmentsOf(path: string): { found: SegmentEntry[]; missing: string[] } {
  const named = stampOf(path) ? segmentNamedAt(path) : null
  const all = listSegments(path)
  // One of another era was left by a restore that came to nothing.
  const own = named === null ? [] : all.filter(({ segment }) => segment >= named && areOfOneEra(segment, named))
  const found = own.length > 0 ? own : all
  if (named !== null && found.length === 0) return { found, missing: [`the whole file ${segmentPath(path, named)}`] }
  let expected = named ?? found[0]?.segment ?? 0
  const missing: string[] = []
  for (const { segment } of found) {
    if (segment > expected && areOfOneEra(segment, expected)) missing.push(wholeFiles(path, expected, segment - 1))
    expected = segment + 1
  }
  return { found, missing }
}

function wholeFiles(path: string, first: number, last: number): string {
  return first === last
    ? `the whole file ${segmentPath(path, first)}`
    : `the whole files ${segmentPath(path, first)} to ${segmentPath(path, last)}`
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw fileError(error, path)
  }
}
