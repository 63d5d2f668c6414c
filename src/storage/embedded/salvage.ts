import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Connection } from './connection'
import type { PageStorage } from './database-pages'
import { decodeCommit, HEAD_BYTES } from './log-record'
import { applyEntry } from './page-entry'
import { decodeRecord, findNextMagic, type WholeRecord } from './scan-segment'
import type { ScratchPages } from './scratch-pages'
import type { SegmentEntry } from './segments'

export interface SalvagedLog {
  /** The number of commits that were applied. */
  commits: number
  /** Descriptions of what could not be applied. */
  lost: string[]
}

/**
 * Applies every commit that can be read to `pages`, in the order of the log. A commit after a damaged one counts if all of its pages match
 * their checksums, unless `untilDamage` ends at the last state that the database had before the damage.
 */
export function salvageLog(
  base: PageStorage,
  segments: readonly SegmentEntry[],
  pages: ScratchPages,
  { untilDamage = false } = {},
): SalvagedLog {
  const lost: string[] = []
  let commits = 0
  for (const segment of segments) {
    let next = 0
    for (const part of splitSegment(readFileSync(segment.path))) {
      const where = `${basename(segment.path)}, at byte ${part.offset}`
      if ('length' in part) lost.push(`${where}: ${part.length} bytes that cannot be read`)
      else if (part.head.index >= next) {
        next = part.head.index + 1
        if (part.head.sealed) continue
        const changed = readCommit(base, pages, part)
        if (changed === null) lost.push(`${where}: a commit that depends on what is lost`)
        else {
          for (const [page, bytes] of changed) pages.set(page, bytes)
          commits++
        }
      }
      if (untilDamage && lost.length > 0) return { commits, lost }
    }
  }
  return { commits, lost }
}

/** The pages after the commit; null if one of them does not match its checksum. */
function readCommit(base: PageStorage, pages: ScratchPages, { payload }: WholeRecord): Map<number, Uint8Array> | null {
  const commit = decodeCommit(payload)
  if (commit === null) return null
  const changed = new Map<number, Uint8Array>()
  for (const entry of commit.entries) {
    const bytes = new Uint8Array(base.pageSize)
    if (entry.depth > 0) bytes.set(pages.get(entry.page) ?? base.read(entry.page))
    if (!applyEntry(bytes, entry) || crc32(bytes) !== entry.checksum) return null
    changed.set(entry.page, bytes)
  }
  return changed
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
