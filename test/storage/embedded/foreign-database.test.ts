import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import initSqlJs from 'sql.js'
import { describe, expect, it } from 'vitest'
import { type Migration, openDatabase, tables } from '../../../src/storage'
import { realDisk } from '../../../src/storage/embedded/disk'
import { DatabaseFiles } from '../../../src/storage/embedded/engine/database-files'
import { adoptDatabase } from '../../../src/storage/embedded/engine/replace-database'
import { restoreFromCopy } from '../../../src/storage/embedded/repair/backup'
import { addNote, exportBytes, migrations, newPath, notesIn, openBook, reopened, upTo } from './note-database'

/** Creates a database as another tool would. */
async function plainFile(path: string, script: string): Promise<void> {
  const { Database } = await initSqlJs()
  const db = new Database()
  db.run(script)
  writeFileSync(path, db.export())
  db.close()
}

async function readByAnother<Row = unknown[]>(path: string, query: string): Promise<Row[]> {
  const { Database } = await initSqlJs()
  const db = new Database(readFileSync(path))
  try {
    return (db.exec(query)[0]?.values ?? []) as Row[]
  } finally {
    db.close()
  }
}

const WITHOUT_MARKS = `
  create table schema_migration (position integer primary key, name text not null);
  insert into schema_migration values (0, '0001-note');
  create table note (id integer not null, part integer not null, text text not null, primary key (id, part));
  create table tally (notes integer not null);
  insert into tally values (1); insert into note values (1, 1, 'old'), (1, 2, 'old');
  pragma user_version = 7;`

describe('a snapshot', () => {
  it('is a plain SQLite file that other tools can open', async () => {
    const path = await newPath()
    const db = await openBook(path, { minSegmentBytes: 100 })
    for (const id of upTo(20)) await addNote(db, id, 'x'.repeat(300))
    await db.close()
    expect(await readByAnother(path, 'select count(*) from note')).toEqual([[40]])
    expect(await readByAnother(path, 'pragma integrity_check')).toEqual([['ok']])
  })
})

describe('a database that another tool created', () => {
  it('is read unchanged, and adopted at the first write', async () => {
    const path = await newPath()
    await plainFile(path, WITHOUT_MARKS)
    const before = readFileSync(path)
    const db = await openBook(path)
    expect(await notesIn(db)).toEqual([1])
    expect(readFileSync(path)).toEqual(before)
    await addNote(db, 2)
    expect(await notesIn(db)).toEqual([1, 2])
    await db.close()
    expect(await reopened(path)).toEqual([1, 2])
    expect(await readByAnother(path, 'select count(*) from note')).toEqual([[2]])
  })

  // Windows does not replace a file that another process has open.
  it.skipIf(process.platform === 'win32')('is adopted once by concurrent processes', async () => {
    const path = await newPath()
    await plainFile(path, WITHOUT_MARKS)
    const books = await Promise.all(upTo(3).map(() => openBook(path)))
    await Promise.all(books.map((db, i) => addNote(db, i + 2)))
    for (const db of books) expect(await notesIn(db)).toEqual([1, 2, 3, 4])
    for (const db of books) await db.close()
    expect(await reopened(path)).toEqual([1, 2, 3, 4])
  })

  // Windows does not replace a file that another process has open.
  it.skipIf(process.platform === 'win32')(
    'is not replaced if another process adopts and changes it at the same time',
    async () => {
      const path = await newPath()
      await plainFile(path, WITHOUT_MARKS)
      const slow = new DatabaseFiles(path, {
        disk: realDisk,
        cacheBytes: 1_000_000,
        knownSteps: migrations.length,
        minSegmentBytes: 1_000_000,
      })
      await slow.load()
      const other = await openBook(path)
      await addNote(other, 2)
      await adoptDatabase(slow, realDisk)
      expect(slow.cursor).toMatchObject({ index: 1 })
      slow.unload()
      await addNote(other, 3)
      await other.close()
      expect(await reopened(path)).toEqual([1, 2, 3])
    },
  )

  it('replaces the current database when a user copies it there, and the old log is moved to a backup', async () => {
    const path = await newPath()
    const db = await openBook(path)
    for (const id of upTo(5)) await addNote(db, id)
    await plainFile(`${path}.copy`, WITHOUT_MARKS)
    copyFileSync(`${path}.copy`, path)
    expect(await notesIn(db)).toEqual([1])
    await addNote(db, 9)
    await db.close()
    expect(await reopened(path)).toEqual([1, 9])
    const aside = readdirSync(dirname(path)).find((name) => name.includes('.aside-'))!
    expect(existsSync(join(dirname(path), aside, 'studio.db.log.1'))).toBe(true)
  })

  it('gets missing tables', async () => {
    const path = await newPath()
    await plainFile(path, 'create table shopping (item text); insert into shopping values ("milk")')
    expect(await reopened(path)).toEqual([])
    const db = await openDatabase(path, migrations)
    const items = await db.read((tx) => tables<any>(tx).selectFrom('shopping').selectAll().execute())
    expect(items).toEqual([{ item: 'milk' }])
    await db.close()
  })

  it('can be an empty file', async () => {
    const path = await newPath()
    writeFileSync(path, '')
    const db = await openBook(path)
    await addNote(db, 1)
    await db.close()
    expect(await reopened(path)).toEqual([1])
  })

  it('is rejected with a repair hint if it has a write-ahead log', async () => {
    const path = await newPath()
    await plainFile(path, WITHOUT_MARKS)
    const bytes = readFileSync(path)
    bytes.fill(2, 18, 20)
    writeFileSync(path, bytes)
    expect(await reopened(path)).toEqual([1])
    writeFileSync(`${path}-wal`, 'frames')
    await expect(openBook(path)).rejects.toMatchObject({
      code: 'invalid',
      hint: expect.stringContaining('wal_checkpoint'),
    })
  })

  it('is rejected with a repair hint if it has a hot journal', async () => {
    const path = await newPath()
    await plainFile(path, WITHOUT_MARKS)
    writeFileSync(`${path}-journal`, Buffer.alloc(512)) // a finished journal
    expect(await reopened(path)).toEqual([1])
    writeFileSync(`${path}-journal`, Buffer.from('d9d505f920a163d7', 'hex'))
    await expect(openBook(path)).rejects.toMatchObject({ code: 'invalid', hint: expect.stringContaining('sqlite3') })
  })

  it('is rejected if it is damaged, and not changed', async () => {
    const path = await newPath()
    await plainFile(path, WITHOUT_MARKS)
    const bytes = readFileSync(path)
    bytes.fill(0xaa, 4096 * 2, 4096 * 2 + 600)
    writeFileSync(path, bytes)
    const writing = openBook(path).then((db) => addNote(db, 2).finally(() => db.close()))
    await expect(writing).rejects.toMatchObject({ code: 'database_damaged' })
    expect(readFileSync(path)).toEqual(bytes)
  })
})

describe('a database of a newer version', () => {
  const newer = [...migrations, { name: '0002-later', up: async () => {} }]

  it('is rejected, also by a process that already has it open', async () => {
    const path = await newPath()
    const db = await openBook(path)
    await addNote(db, 1)
    await (await openDatabase(path, newer)).close()
    await expect(openBook(path)).rejects.toMatchObject({ code: 'database_too_new' })
    await expect(notesIn(db)).rejects.toMatchObject({ code: 'database_too_new' })
    await expect(addNote(db, 2)).rejects.toMatchObject({ code: 'database_too_new' })
    await db.close()
  })

  it('makes open processes of the older version fail after a restore', async () => {
    const path = await newPath()
    const older = await openBook(path)
    await addNote(older, 1)
    await older.close()
    writeFileSync(`${path}.copy`, (await exportBytes(path))!)
    const reminder: Migration = {
      name: '0002-reminder',
      up: (db) => db.schema.createTable('reminder').addColumn('at', 'integer').execute(),
    }
    const db = await openDatabase(path, [...migrations, reminder])
    const remind = (at: number) => db.write((tx) => tables<any>(tx).insertInto('reminder').values({ at }).execute())
    await remind(1)
    await restoreFromCopy(path, `${path}.copy`, [...migrations, reminder])
    await remind(2)
    const reminders = await db.read((tx) => tables<any>(tx).selectFrom('reminder').selectAll().execute())
    expect([reminders, await notesIn(db)]).toEqual([[{ at: 2 }], [1]])
    await db.close()
  })

  it('is migrated once by concurrent processes', async () => {
    const path = await newPath()
    const db = await openBook(path)
    await addNote(db, 1)
    await db.close()
    const opened = await Promise.all(upTo(4).map(() => openDatabase(path, newer)))
    for (const one of opened) expect(await notesIn(one)).toEqual([1])
    for (const one of opened) await one.close()
  })
})
