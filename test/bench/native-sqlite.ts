import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

export interface NativeSqlite {
  /** How many of `count` transactions, one after the other, it commits in a second; each inserts the row and counts. */
  commitsASecond(count: number): number
  close(): void
}

const PACKAGE = 'better-sqlite3@12'
const home = resolve('node_modules/.cache/studio/native-sqlite')

/**
 * SQLite as machine code, as durable as ours: write-ahead log, a sync each commit. It is no dependency of the project: it
 * is fetched for this bench alone, and null where that fails.
 */
export function openNative(path: string, sample: Record<string, unknown>): NativeSqlite | null {
  if (!isThere() && !fetchPackage()) return null
  const Native = createRequire(resolve(home, 'package.json'))('better-sqlite3')
  const db = new Native(path)
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  const columns = Object.keys(sample)
  db.exec(`create table draft (id integer primary key autoincrement, ${columns}); create table version (value integer)`)
  db.exec('insert into version values (0)')
  const insert = db.prepare(`insert into draft (${columns}) values (${columns.map(() => '?')}) returning *`)
  const count = db.prepare('update version set value = value + 1')
  const commit = db.transaction((values: unknown[]) => {
    insert.get(values)
    count.run()
  })
  return {
    commitsASecond(transactions) {
      const startedAt = performance.now()
      for (let i = 0; i < transactions; i++) commit(Object.values(sample))
      return (transactions / (performance.now() - startedAt)) * 1_000
    },
    close: () => db.close(),
  }
}

function isThere(): boolean {
  return existsSync(resolve(home, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'))
}

function fetchPackage(): boolean {
  mkdirSync(home, { recursive: true })
  try {
    execFileSync('npm', ['install', '--no-save', '--silent', '--prefix', home, PACKAGE], { stdio: 'ignore' })
  } catch {
    return false
  }
  return isThere()
}
