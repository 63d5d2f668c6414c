import fc from 'fast-check'
import initSqlJs from 'sql.js'
import { describe, expect, it } from 'vitest'
import { TableReader } from '../../../src/storage/embedded/engine/table-reader'

/** A database with a page size, after these statements. */
async function openDatabase(pageSize: number, statements: string[]) {
  const { Database } = await initSqlJs()
  const db = new Database()
  for (const statement of [`pragma page_size = ${pageSize}`, ...statements]) db.run(statement)
  return db
}
type OpenDatabase = Awaited<ReturnType<typeof openDatabase>>

function readerOf(db: OpenDatabase, pageSize: number, damage: (bytes: Buffer) => void = () => {}): TableReader {
  const bytes = Buffer.from(db.export())
  damage(bytes)
  // One memory for all pages, as that of a cache may be used again.
  const memory = Buffer.alloc(pageSize)
  return new TableReader({
    pageSize,
    read(page) {
      memory.set(bytes.subarray((page - 1) * pageSize, page * pageSize))
      return memory
    },
  })
}

interface Note {
  id: number
  text: string | null
  count: number | null
  last: string | null
}

const NOTES = `create table "note" ("id" integer primary key autoincrement, "text" text default ('a, "b"'), "count" double precision,
  "data" blob, "last" text, constraint "positive" check (id > 0))`
const COLUMNS = ['id', 'text', 'count', 'last'] as const

const anyText = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll('\0', '')),
  fc.string({ unit: fc.constantFrom('\ufeff', 'a'), maxLength: 4 }),
  fc.integer({ min: 0, max: 9_000 }).map((length) => 'x'.repeat(length)),
)
const anyCount = fc.oneof(
  fc.constantFrom(null, 0, 1, -1, 0.5, 127, -128, 32_768, 8_388_608, 2 ** 31, 2 ** 47, 2 ** 52, -(2 ** 52), 1e300),
  fc.integer(),
)
const anyNotes = fc.array(
  fc.record({
    step: fc.integer({ min: 1, max: 300 }),
    text: anyText,
    count: anyCount,
    data: fc.uint8Array(),
    last: anyText,
  }),
  { maxLength: 60 },
)

describe('the rows of a table, read without SQLite', () => {
  it('are those that SQLite returns, with rows of any size on pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(512, 1_024, 4_096, 65_536), anyNotes, async (pageSize, notes) => {
        const db = await openDatabase(pageSize, [NOTES])
        let id = 0
        for (const { step, text, count, data, last } of notes) {
          id += step
          db.run('insert into note values (?, ?, ?, ?, ?)', [id, text, count, data, last])
        }
        const select = db.exec('select id, text, count, last from note order by id')[0]?.values ?? []
        const expected = select.map(([rowId, text, count, last]) => ({ id: rowId, text, count, last }))
        const reader = readerOf(db, pageSize)
        expect([...reader.all<Note>('note', COLUMNS)]).toEqual(expected)
        expect([...reader.newest<Note>('note', COLUMNS)]).toEqual([...expected].reverse())
        expect(reader.count('note')).toBe(expected.length)
        for (const note of expected) expect(reader.get<Note>('note', COLUMNS, Number(note.id))).toEqual(note)
        expect(reader.get<Note>('note', COLUMNS, id + 1)).toBeNull()
        db.close()
      }),
      { numRuns: 40 },
    )
  })

  it('are found in a table of many levels, of which a column costs no page of the texts after it', async () => {
    const db = await openDatabase(512, [
      NOTES,
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
       insert into note select i * 2, 'note ' || i, i, null, null from n`,
      `update note set last = printf('%05000d', id) where id = 400`,
    ])
    const reader = readerOf(db, 512)
    expect(reader.count('note')).toBe(20_000)
    expect(reader.get<Note>('note', ['id', 'text'], 20_000)).toEqual({ id: 20_000, text: 'note 10000' })
    expect(reader.get<Note>('note', ['id'], 20_001)).toBeNull()
    expect(reader.get<Note>('note', ['last'], 400)?.last).toHaveLength(5_000)
    db.close()
  })

  it.each([
    ['a table without row IDs', 'create table "note" ("id" integer primary key, "text" text) without rowid'],
    ['a view', 'create view note as select 1 as id, 2 as text'],
    ['a table of another name', 'create table "other" ("id" integer primary key)'],
    ['a table without the column', 'create table "note" ("id" integer primary key)'],
  ])('are left to SQLite: %s', async (_, statement) => {
    const db = await openDatabase(4_096, [statement])
    const reader = readerOf(db, 4_096)
    expect(() => [...reader.all<Note>('note', ['id', 'text'])]).toThrow(Error)
    db.close()
  })

  it('are left to SQLite if a column was added after a row was written, or the texts are in UTF-16', async () => {
    const db = await openDatabase(4_096, [
      NOTES,
      "insert into note (text) values ('a')",
      'alter table note add "later" text',
    ])
    expect(() => [...readerOf(db, 4_096).all<{ later: string }>('note', ['later'])]).toThrow('fewer columns')
    db.close()
    const wide = await openDatabase(4_096, ["pragma encoding = 'UTF-16le'", NOTES])
    expect(() => readerOf(wide, 4_096)).toThrow('not in UTF-8')
    wide.close()
  })

  it('are left to SQLite if a page of their table is below itself', async () => {
    const db = await openDatabase(512, [
      NOTES,
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
       insert into note select i, 'note ' || i, i, null, null from n`,
    ])
    const root = Number(db.exec("select rootpage from sqlite_master where name = 'note'")[0]!.values[0]![0])
    const reader = readerOf(db, 512, (bytes) => bytes.writeUInt32BE(root, (root - 1) * 512 + 8))
    expect(() => reader.get<Note>('note', ['id'], 99_999)).toThrow('form a circle')
    expect(() => reader.count('note')).toThrow(RangeError)
    db.close()
  })
})
