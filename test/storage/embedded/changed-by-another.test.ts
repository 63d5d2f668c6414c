import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { suggest } from '../../../src/kernel'
import { openCurrentState } from '../../../src/storage/embedded/repair/backup'
import { inspectDatabase } from '../../../src/storage/embedded/repair/inspect-database'
import { repairDatabase } from '../../../src/storage/embedded/repair/repair-database'
import { addNote, migrations, newPath, openBook, reopened, segmentsOf, upTo } from './note-database'

/** SQLite as other programs use it: the module of Python. */
const SCRIPT = `
import sqlite3, sys, os
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[3:]: connection.execute(statement).fetchall()
if sys.argv[2] == 'closes': connection.close()
else: os._exit(0)`
const hasPython = spawnSync('python3', ['-c', 'import sqlite3']).status === 0

/** Runs the statements. A program that `dies` leaves its write-ahead log behind. */
function runInPython(path: string, statements: readonly string[], ending: 'closes' | 'dies' = 'closes'): void {
  const { status, stderr } = spawnSync('python3', ['-c', SCRIPT, path, ending, ...statements], { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
}

const CHANGE_FIRST_NOTE = `update note set text = 'changed' where id = 1`
const LONG = 'x'.repeat(1_000)

/** A new database with three notes in its log, as `change` leaves it. */
async function openNotes(change: (path: string) => void): Promise<{ path: string; notes: number[] }> {
  const path = await newPath()
  const db = await openBook(path)
  for (const id of upTo(3)) await addNote(db, id)
  await db.close()
  change(path)
  return { path, notes: upTo(3) }
}

/** A database whose base contains most of its notes, as `change` leaves it. The first note is on a page that the log does not change. */
async function openCompactedNotes(change: (path: string) => void): Promise<{ path: string; inLog: number }> {
  const path = await newPath()
  const db = await openBook(path, { minSegmentBytes: 50_000 })
  for (const id of upTo(40)) await addNote(db, id, LONG)
  await db.close()
  expect(segmentsOf(path)[0]).toBeGreaterThan(1)
  const again = await openBook(path)
  for (const id of [41, 42]) await addNote(again, id)
  await again.close()
  const files = await openCurrentState(path)
  const inLog = files!.cursor!.index
  files!.unload()
  change(path)
  return { path, inLog }
}

async function levelsOf(path: string): Promise<Record<string, string>> {
  const findings = await inspectDatabase(path, migrations)
  return Object.fromEntries(findings.map(({ about, level }) => [about, level]))
}

/** The archive must contain the files as they were. */
function expectArchived(path: string, changed: Buffer): void {
  const archive = readdirSync(dirname(path)).find((name) => name.includes('.aside-'))!
  expect(readFileSync(join(dirname(path), archive, 'studio.db'))).toEqual(changed)
}

describe.skipIf(!hasPython)('a header that another program has changed', () => {
  const changes: [string, readonly string[]][] = [
    ['the journal mode', ['pragma journal_mode = wal']],
    ['the journal mode twice', ['pragma journal_mode = wal', 'pragma journal_mode = delete']],
    ['user_version', ['pragma user_version = 5']],
    ['application_id', ['pragma application_id = 9']],
    ['the marks of studio', ['pragma application_id = 0', 'pragma user_version = 7']],
  ]
  for (const [what, statements] of changes) {
    it(`is accepted, and nothing is lost: ${what}`, async () => {
      for (const open of [openNotes, openCompactedNotes]) {
        const { path } = await open((file) => runInPython(file, statements))
        const notes = open === openNotes ? upTo(3) : upTo(42)
        expect(await reopened(path)).toEqual(notes)
        expect(await levelsOf(path)).toMatchObject({ base: 'warning', log: 'ok', contents: 'ok' })
        expect(await repairDatabase(path, migrations)).toBeNull()
        const db = await openBook(path)
        await addNote(db, 50)
        await db.close()
        expect(await reopened(path)).toEqual([...notes, 50])
      }
    })
  }

  it('is accepted by a process that has the database open', async () => {
    const path = await newPath()
    const db = await openBook(path)
    await addNote(db, 1)
    runInPython(path, ['pragma journal_mode = wal'])
    await addNote(db, 2)
    await db.close()
    expect(await reopened(path)).toEqual([1, 2])
  })

  it('is accepted by a compaction', async () => {
    const path = await newPath()
    const db = await openBook(path, { minSegmentBytes: 50_000 })
    for (const id of upTo(20)) await addNote(db, id, LONG)
    runInPython(path, ['pragma journal_mode = wal'])
    for (const id of upTo(20)) await addNote(db, 20 + id, LONG)
    await db.close()
    expect(await reopened(path)).toEqual(upTo(40))
    expect(await levelsOf(path)).toMatchObject({ base: 'ok' })
  })
})

describe.skipIf(!hasPython)('rows that another program has changed', () => {
  const python = (statements: readonly string[]) => (path: string) => runInPython(path, statements)
  const grow = Array.from({ length: 30 }, (_, i) => `insert into tally values (${i})`)
  const changes: [string, (path: string) => void][] = [
    ['an update', python(['update tally set notes = 77'])],
    ['an update through a write-ahead log', python(['pragma journal_mode = wal', 'update tally set notes = 77'])],
    ['an insert', python([`insert into note values (90, 1, 'theirs')`])],
    ['inserts that need pages', python(['create table theirs (it)', ...grow])],
    ['VACUUM', python(['vacuum'])],
    ['auto_vacuum', python(['pragma auto_vacuum = full', 'vacuum'])],
    ['another page size', python(['pragma page_size = 8192', 'vacuum'])],
  ]
  for (const [what, change] of changes) {
    it(`stop with database_changed, and a repair of a new database loses nothing: ${what}`, async () => {
      const { path, notes } = await openNotes(change)
      const changed = readFileSync(path)
      await expect(reopened(path)).rejects.toMatchObject({
        code: 'database_changed',
        hint: expect.arrayContaining([
          suggest('storage.restore', { file: '<file>' }),
          suggest('system.doctor', { repair: true }),
        ]),
      })
      expect(await levelsOf(path)).toMatchObject({ database: 'problem' })
      expect(readFileSync(path)).toEqual(changed)
      const repair = await repairDatabase(path, migrations)
      expect(repair).toMatchObject({ commits: 3, lostCommits: 0, lost: [] })
      expect(repair!.corrected).not.toEqual([])
      expect(await reopened(path)).toEqual(notes)
      expect(await levelsOf(path)).toMatchObject({ base: 'ok', contents: 'ok' })
      expectArchived(path, changed)
    })
  }

  it('keep all commits of the log if it does not need the changed page', async () => {
    const { path, inLog } = await openCompactedNotes(python([CHANGE_FIRST_NOTE]))
    expect(await repairDatabase(path, migrations)).toMatchObject({
      commits: inLog,
      lostCommits: 0,
      lost: [expect.stringMatching(/studio\.db, at byte \d+: the page may have lost some values/)],
    })
    expect(await reopened(path)).toEqual(upTo(42))
  })

  it('keep all commits of the log if the file has grown over its checksums', async () => {
    const { path, inLog } = await openCompactedNotes((file) => runInPython(file, ['create table theirs (it)']))
    expect(statSync(path).size % 4_096).toBe(0)
    const repair = await repairDatabase(path, migrations)
    expect(repair).toMatchObject({ commits: inLog, lostCommits: 0, removed: ['table theirs'] })
    expect(repair!.lost).toEqual([expect.stringContaining('its checksums are missing')])
    expect(await reopened(path)).toEqual(upTo(42))
  })

  it('count the commits that cannot be kept when all pages were moved', async () => {
    const { path, inLog } = await openCompactedNotes(
      python(['delete from note where id in (5, 7)', 'update tally set notes = notes - 2', 'vacuum']),
    )
    const changed = readFileSync(path)
    await expect(reopened(path)).rejects.toMatchObject({ code: 'database_changed' })
    const repair = await repairDatabase(path, migrations)
    expect(repair).toMatchObject({ commits: 0, lostCommits: inLog })
    expect(repair!.lost.join()).toContain(`${inLog} commits of the log`)
    expect(await levelsOf(path)).toMatchObject({ base: 'ok', contents: 'ok' })
    expectArchived(path, changed)
  })

  it('are left out if they are still in a write-ahead log, which is archived', async () => {
    const { path, notes } = await openNotes((file) =>
      runInPython(file, ['pragma journal_mode = wal', CHANGE_FIRST_NOTE, 'update tally set notes = 8'], 'dies'),
    )
    await expect(reopened(path)).rejects.toMatchObject({
      code: 'database_changed',
      message: expect.stringContaining('studio.db-wal'),
      hint: expect.arrayContaining([expect.stringContaining('wal_checkpoint')]),
    })
    const repair = await repairDatabase(path, migrations)
    expect(repair).toMatchObject({ commits: 3, lost: [] })
    expect(existsSync(join(repair!.keptAside, 'studio.db-wal'))).toBe(true)
    expect(existsSync(`${path}-wal`)).toBe(false)
    expect(await reopened(path)).toEqual(notes)
  })

  it('are reported with how to roll them back if the program was interrupted', async () => {
    const { path } = await openNotes((file) => {
      writeFileSync(`${file}-journal`, Buffer.from('d9d505f920a163d7', 'hex'))
    })
    await expect(reopened(path)).rejects.toMatchObject({
      code: 'database_changed',
      hint: expect.stringContaining('sqlite3'),
    })
  })
})

describe('a file that is no longer what studio wrote', () => {
  const changes: [string, string, (path: string) => void, readonly unknown[]][] = [
    ['is shorter', 'database_damaged', (path) => truncateSync(path, statSync(path).size >> 1), []],
    ['has lost its checksums', 'database_damaged', (path) => truncateSync(path, statSync(path).size - 100), []],
    ['is longer', 'database_changed', (path) => appendFileSync(path, 'more'), []],
    [
      'is encrypted',
      'database_damaged',
      (path) =>
        writeFileSync(
          path,
          readFileSync(path).map((byte, i) => byte ^ ((i * 37) & 255) ^ 0x5a),
        ),
      [expect.stringContaining('the whole base')],
    ],
  ]
  for (const [what, code, change, lost] of changes) {
    it(`is repaired from its log if it is that of a new database: it ${what}`, async () => {
      const { path, notes } = await openNotes(change)
      copyFileSync(path, `${path}.changed`)
      await expect(reopened(path)).rejects.toMatchObject({ code })
      expect(await levelsOf(path)).toMatchObject({ database: 'problem' })
      expect(await repairDatabase(path, migrations)).toMatchObject({ commits: 3, lostCommits: 0, lost })
      expect(await reopened(path)).toEqual(notes)
      expectArchived(path, readFileSync(`${path}.changed`))
    })
  }
})
