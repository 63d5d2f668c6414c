import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { crc32 } from '../../../kernel/crc32'
import type { Connection } from '../engine/connection'
import type { PageStorage } from '../engine/database-pages'
import type { ScratchPages } from '../engine/scratch-pages'
import { decodeCommit, HEAD_BYTES } from '../log/log-record'
import { applyEntry } from '../log/page-entry'
import { decodeRecord, findNextMagic, type WholeRecord } from '../log/scan-segment'
import type { SegmentEntry } from '../log/segments'

export interface SalvagedLog {
  /** The number of commits that were applied. */
  commits: number
  /** The number of commits that could be read and not applied. */
  lostCommits: number
  /** Descriptions of what could not be applied. */
  lost: string[]
  /** Whether a changed page of the base matches its checksum after the change, so that the log continues this base. */
  fitsBase: boolean
}

/**
 * Applies every commit that can be read to `pages`, in the order of the log. A commit after a damaged one counts if all of its pages match
 * their checksums, unless `untilDamage` ends at the last state that the database had before the damage. With `acceptsHeader`, the first
 * page need not match: other programs change its header.
 */
export function salvageLog(
  base: PageStorage,
  segments: readonly SegmentEntry[],
  pages: ScratchPages,
  { untilDamage = false, acceptsHeader = false } = {},
): SalvagedLog {
  const log: SalvagedLog = { commits: 0, lostCommits: 0, lost: [], fitsBase: false }
  for (const segment of segments) {
    let next = 0
    for (const part of splitSegment(readFileSync(segment.path))) {
      const where = `${basename(segment.path)}, at byte ${part.offset}`
      if ('length' in part) log.lost.push(`${where}: ${part.length} bytes that cannot be read`)
      else if (part.head.index >= next) {
        next = part.head.index + 1
        if (part.head.sealed) continue
        const commit = readCommit(base, pages, part, acceptsHeader)
        if (commit === null) {
          log.lost.push(`${where}: a commit that depends on what is lost`)
          log.lostCommits++
        } else {
          for (const [page, bytes] of commit.changed) pages.set(page, bytes)
          log.commits++
          log.fitsBase ||= commit.fitsBase
        }
      }
      if (untilDamage && log.lost.length > 0) return log
    }
  }
  return log
}

/** The pages after the commit; null if one of them does not match its checksum. */
function readCommit(
  base: PageStorage,
  pages: ScratchPages,
  { payload }: WholeRecord,
  acceptsHeader: boolean,
): { changed: Map<number, Uint8Array>; fitsBase: boolean } | null {
  const commit = decodeCommit(payload)
  if (commit === null) return null
  const changed = new Map<number, Uint8Array>()
  let [matching, fitsBase] = [0, false]
  for (const entry of commit.entries) {
    const bytes = new Uint8Array(base.pageSize)
    const before = entry.depth > 0 ? pages.get(entry.page) : undefined
    if (entry.depth > 0) bytes.set(before ?? base.read(entry.page))
    if (!applyEntry(bytes, entry)) return null
    changed.set(entry.page, bytes)
    if (crc32(bytes) !== entry.checksum) {
      if (entry.page === 1 && acceptsHeader) continue
      return null
    }
    matching++
    if (entry.page !== 1 && entry.depth > 0 && before === undefined) fitsBase = true
  }
  return matching > 0 ? { changed, fitsBase } : null
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

/**
 * Copies the readable parts of a damaged database into an empty one: its schema, and the rows from both ends of each table. Returns
 * descriptions of what could not be read.
 */
export function salvageRows(from: Connection, to: Connection): string[] {
  const lost: string[] = []
  to.runScript('pragma foreign_keys = off; begin')
  try {
    const entries = [
      ...from.rows('select type, name, sql from sqlite_master where sql is not null'),
    ] as unknown as Entry[]
    for (const { type, name, sql } of entries) {
      if (type !== 'table' || name.startsWith('sqlite_')) continue
      const isCreated = tryTo(() => to.runScript(sql))
      const copied = isCreated ? copyRows(from, to, name) : { rows: 0, isWhole: false }
      if (!copied.isWhole) lost.push(`rows of the table ${name}: ${copied.rows} could be read`)
    }
    copyCounters(from, to)
    // What is not created here is found to be missing, and created as the migrations do.
    for (const { type, sql } of entries) if (type !== 'table') tryTo(() => to.runScript(sql))
  } catch (error) {
    lost.push(`the rest of the base: ${error instanceof Error ? error.message : error}`)
  }
  to.runScript('commit; pragma foreign_keys = on')
  return lost
}

interface Entry {
  type: string
  name: string
  sql: string
}

function tryTo(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function copyRows(from: Connection, to: Connection, table: string): { rows: number; isWhole: boolean } {
  const name = quote(table)
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

/** Copies the rows that are missing in `to`, by their keys, and returns how many. Tables without a key are left out. */
export function addMissingRows(from: Connection, to: Connection): number {
  let added = 0
  to.runScript('pragma foreign_keys = off; begin')
  for (const name of listTables(to)) {
    const columns = listColumns(from, name)
    if (columns.length === 0 || !hasKey(to, name)) continue
    const places = columns.map(() => '?').join(', ')
    const insert = `insert or ignore into ${quote(name)} (${columns.map(quote).join(', ')}) values (${places})`
    tryTo(() => {
      for (const row of from.rows(`select * from ${quote(name)}`)) added += to.run(insert, Object.values(row)).changes
    })
  }
  to.runScript('commit; pragma foreign_keys = on')
  return added
}

function listTables(connection: Connection): string[] {
  const { rows } = connection.run<{ name: string }>(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite@_%' escape '@'`,
  )
  return rows.map(({ name }) => name)
}

function listColumns(connection: Connection, table: string): string[] {
  const { rows } = connection.run<{ name: string }>('select name from pragma_table_info(?)', [table])
  return rows.map(({ name }) => name)
}

function hasKey(connection: Connection, table: string): boolean {
  return connection.run('select 1 from pragma_table_info(?) where pk > 0 limit 1', [table]).rows.length > 0
}
