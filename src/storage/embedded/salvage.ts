import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type Commit, Connection, decodeCommit } from './connection'
import { HEAD_BYTES } from './log-record'
import { decodeRecord, findNextMagic, type WholeRecord } from './scan-segment'
import type { SegmentEntry } from './segments'

export interface SalvagedLog {
  applied: number
  /** Descriptions of what could not be applied. */
  lost: string[]
  /** Commits that can be read but not be applied, for a person to check. */
  unfit: Commit[]
}

/**
 * Applies every commit that can be read, in the order of the log. After a missing commit, each of the others counts if it changes as many
 * rows as before.
 */
export function salvageLog(connection: Connection, segments: readonly SegmentEntry[]): SalvagedLog {
  const result: SalvagedLog = { applied: 0, lost: [], unfit: [] }
  for (const segment of segments) {
    let next = 0
    for (const part of splitSegment(readFileSync(segment.path))) {
      const where = `${basename(segment.path)}, at byte ${part.offset}`
      if ('length' in part) {
        result.lost.push(`${where}: ${part.length} bytes that cannot be read`)
      } else if (part.head.index >= next) {
        next = part.head.index + 1
        const commit = decodeCommit(part.payload)
        if (tryReplay(connection, commit)) result.applied++
        else {
          result.lost.push(`${where}: a commit of ${commit.statements.length} statements that cannot be applied`)
          result.unfit.push(commit)
        }
      }
    }
  }
  return result
}

type SegmentPart = WholeRecord | { offset: number; length: number }

function* splitSegment(bytes: Buffer): Generator<SegmentPart> {
  for (let at = 0; at < bytes.length; ) {
    const record = decodeRecord(bytes, at, 0)
    const end = record ? at + HEAD_BYTES + record.head.length : findNextMagic(bytes, at + 1)
    yield record ?? { offset: at, length: end - at }
    at = end
  }
}

function tryReplay(connection: Connection, commit: Commit): boolean {
  connection.runControl('begin')
  try {
    connection.replayCommit(commit)
    connection.runControl('commit')
    return true
  } catch {
    connection.runControl('rollback')
    return false
  }
}

export interface SalvagedRows {
  connection: Connection
  /** Descriptions of what could not be read. */
  lost: string[]
}

/** Copies the readable parts of a damaged SQLite file into a new database: its schema, and the rows from both ends of each table. */
export async function salvageRows(bytes: Uint8Array): Promise<SalvagedRows> {
  const from = await Connection.open(bytes)
  const to = await Connection.open(null)
  const lost: string[] = []
  try {
    const entries = [
      ...from.rows('select type, name, sql from sqlite_master where sql is not null'),
    ] as unknown as Entry[]
    const tables = entries.filter(({ type, name }) => type === 'table' && !name.startsWith('sqlite_'))
    to.runScript('pragma foreign_keys = off; begin')
    for (const table of tables) {
      to.runScript(table.sql)
      const copied = copyRows(from, to, table.name)
      if (!copied.isWhole) lost.push(`rows of the table ${table.name}: ${copied.rows} could be read`)
    }
    copyCounters(from, to)
    for (const entry of entries) if (entry.type !== 'table') to.runScript(entry.sql)
    to.runScript('commit; pragma foreign_keys = on')
  } catch (error) {
    lost.push(`the rest of the snapshot: ${error instanceof Error ? error.message : error}`)
  } finally {
    from.close()
  }
  return { connection: to, lost }
}

interface Entry {
  type: string
  name: string
  sql: string
}

function copyRows(from: Connection, to: Connection, table: string): { rows: number; isWhole: boolean } {
  const name = `"${table.replaceAll('"', '""')}"`
  let rows = 0
  const copyInOrder = (order: string) => {
    try {
      for (const row of from.rows(`select * from ${name} ${order}`)) {
        const values = Object.values(row)
        const placeholders = values.map(() => '?').join(', ')
        rows += to.run(`insert or ignore into ${name} values (${placeholders})`, values).changes
      }
      return true
    } catch {
      return false // the following rows cannot be read
    }
  }
  const isWhole = copyInOrder('')
  if (!isWhole) copyInOrder('order by rowid desc')
  return { rows, isWhole }
}

/** Prevents that an id is assigned twice. */
function copyCounters(from: Connection, to: Connection): void {
  try {
    for (const { name, seq } of from.rows('select name, seq from sqlite_sequence')) {
      to.run('delete from sqlite_sequence where name = ?', [name])
      to.run('insert into sqlite_sequence (name, seq) values (?, ?)', [name, seq])
    }
  } catch {
    // The counters are missing or lost: then SQLite continues after the highest id of the table.
  }
}
