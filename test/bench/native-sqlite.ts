import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

export interface NativeSqlite {
  /** Transactions per second, for `count` sequential transactions that insert a row and increment a counter. */
  commitsASecond(count: number): number
  close(): void
}

const PACKAGE = 'better-sqlite3@12'
const home = resolve('node_modules/.cache/studio/native-sqlite')

/**
 * Native SQLite with the same durability as our engine: a write-ahead log and a sync for each commit. It is not a dependency of
 * the project, but is downloaded for this benchmark only; null if that fails.
 */
export function openNative(path: string, sample: Record<string, unknown>): NativeSqlite | null {
  const Native = loadNative()
  if (Native === null) return null
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

/** The package; null if it cannot be installed. */
export function loadNative(): any {
  if (!isThere() && !fetchPackage()) return null
  return createRequire(resolve(home, 'package.json'))('better-sqlite3')
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
