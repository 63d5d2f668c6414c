import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import initSqlJs from 'sql.js'
import { describe, expect, it } from 'vitest'
import { Connection } from '../../../src/storage/embedded/engine/connection'
import { ScratchPages } from '../../../src/storage/embedded/engine/scratch-pages'
import { temporaryFolder } from '../../temporary-folder'

const PAGE_BYTES = 4_096

/** A SQLite file as pages that can be changed, and the numbers of the pages that were read. */
async function pagesOf(script: string, scratch?: ScratchPages) {
  const { Database } = await initSqlJs()
  const db = new Database()
  db.run(script)
  const bytes = db.export()
  db.close()
  const pages = new Map<number, Uint8Array>()
  for (let at = 0; at < bytes.length; at += PAGE_BYTES) pages.set(at / PAGE_BYTES + 1, bytes.slice(at, at + PAGE_BYTES))
  const reads: number[] = []
  const storage = {
    pageSize: PAGE_BYTES,
    read(page: number) {
      reads.push(page)
      return pages.get(page) ?? new Uint8Array(PAGE_BYTES)
    },
  }
  return { pages, reads, connection: await Connection.openPages(storage, { name: 'test', scratch }) }
}

const MANY_ROWS = `create table note (id integer primary key, text text);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
  insert into note select i, printf('%0200d', i) from n`

const count = (connection: Connection) => connection.run<{ n: number }>('select count(*) as n from note').rows[0]!.n

/** What the engine relies on in sql.js and SQLite. If one of these fails after an update of sql.js, the engine must not be released with it. */
describe('sql.js over pages', () => {
  it('reads only the pages that a query needs', async () => {
    const { pages, reads, connection } = await pagesOf(MANY_ROWS)
    expect(pages.size).toBeGreaterThan(250)
    expect(connection.run('select text from note where id = 4000').rows).toHaveLength(1)
    expect(new Set(reads).size).toBeLessThan(8)
    connection.close()
  })

  it('writes whole pages, when it commits and not before', async () => {
    const { connection } = await pagesOf(MANY_ROWS)
    connection.runControl('begin')
    for (let i = 0; i < 3; i++) connection.run(`update note set text = text || '${'x'.repeat(300)}'`)
    expect(connection.changedPages!.size).toBe(0)
    connection.runControl('commit')
    expect(connection.changedPages!.size).toBeGreaterThan(1_000)
    expect([...connection.changedPages!.values()].every(({ length }) => length === PAGE_BYTES)).toBe(true)
    expect(connection.findIntegrityErrors()).toEqual([])
    connection.close()
  })

  it('writes a transaction that is larger than its memory to a scratch file, which has no name', async () => {
    const folder = temporaryFolder()
    const scratch = new ScratchPages(join(folder, 'studio.db'))
    const { connection } = await pagesOf(MANY_ROWS, scratch)
    connection.runControl('begin')
    connection.run(`update note set text = text || '${'x'.repeat(2_000)}'`)
    const written = Array.from({ length: 4_000 }, (_, i) => scratch.get(i + 1)).filter(Boolean)
    expect(written.length).toBeGreaterThan(1_000)
    // On Windows it has its name until it is closed.
    if (process.platform !== 'win32') expect(readdirSync(folder)).toEqual([])
    connection.runControl('commit')
    expect(connection.changedPages!.size).toBe(0)
    expect(connection.findIntegrityErrors()).toEqual([])
    expect(connection.run('select min(length(text)) as n from note').rows).toEqual([{ n: 2_200 }])
    connection.close()
    scratch.close()
  })

  it('fails if the scratch file cannot be written', async () => {
    const scratch = new ScratchPages('/proc/none/studio.db')
    const { connection } = await pagesOf(MANY_ROWS, scratch)
    expect(() => connection.run("update note set text = 'new'")).toThrow('/proc/none')
    expect(() => count(connection)).toThrow('/proc/none')
    connection.close()
  })

  it('writes nothing when it rolls back, and nothing new after a rollback to a savepoint', async () => {
    const { pages, connection } = await pagesOf(MANY_ROWS)
    connection.runControl('begin')
    connection.run(`update note set text = text || '${'x'.repeat(500)}'`)
    connection.runControl('rollback')
    expect(connection.changedPages!.size).toBe(0)
    connection.runControl('begin')
    connection.runControl('savepoint one')
    connection.run(`update note set text = text || '${'x'.repeat(500)}'`)
    connection.runControl('rollback to one')
    connection.runControl('release one')
    connection.runControl('commit')
    for (const [page, bytes] of connection.changedPages!) {
      const before = pages.get(page) // beyond the end of the database there is none
      if (before && page > 1) expect(bytes).toEqual(Buffer.from(before))
    }
    expect(count(connection)).toBe(5_000)
    connection.close()
  })

  it('takes the size of the database from its header, and grows and reuses pages', async () => {
    const { connection } = await pagesOf(MANY_ROWS)
    connection.run('delete from note where id > 100')
    connection.run(MANY_ROWS.split(';')[1]!.replace('select i,', 'select i + 10000,'))
    expect(connection.findIntegrityErrors()).toEqual([])
    expect(count(connection)).toBe(5_100)
    connection.close()
  })

  it('forgets what it has read on request, and reads the pages of another process', async () => {
    const { pages, connection } = await pagesOf(MANY_ROWS)
    expect(count(connection)).toBe(5_000)
    const other = await pagesOf(MANY_ROWS)
    other.connection.run('delete from note where id <= 1000')
    other.connection.run('create table more (it)')
    for (const [page, bytes] of other.connection.changedPages!) pages.set(page, bytes)
    connection.refresh()
    expect(count(connection)).toBe(4_000)
    expect(connection.run('select * from more').rows).toEqual([])
    expect(connection.findIntegrityErrors()).toEqual([])
    connection.close()
    other.connection.close()
  })

  it('forgets its own commit if the changed pages are dropped', async () => {
    const { connection } = await pagesOf(MANY_ROWS)
    connection.run('delete from note')
    connection.changedPages!.clear()
    connection.refresh()
    expect(count(connection)).toBe(5_000)
    connection.close()
  })

  it('returns nothing that it made of a page that cannot be read', async () => {
    const { pages, connection } = await pagesOf(MANY_ROWS)
    const storage = {
      pageSize: PAGE_BYTES,
      read(page: number) {
        if (page > 100) throw new Error(`page ${page} is damaged`)
        return pages.get(page)!
      },
    }
    const damaged = await Connection.openPages(storage, { name: 'test' })
    expect(damaged.run('select * from note where id = 1').rows).toHaveLength(1)
    expect(() => damaged.run('select * from note')).toThrow(/page \d+ is damaged/)
    expect(() => damaged.run('select * from note where id = 1')).toThrow('is damaged')
    damaged.refresh()
    expect(damaged.run('select * from note where id = 1').rows).toHaveLength(1)
    damaged.close()
    connection.close()
  })

  it('works with every page size', async () => {
    for (const size of [512, 1_024, 65_536]) {
      const { Database } = await initSqlJs()
      const db = new Database()
      db.run(`pragma page_size = ${size}; ${MANY_ROWS}`)
      const bytes = db.export()
      const storage = {
        pageSize: size,
        read: (page: number) =>
          page * size > bytes.length ? new Uint8Array(size) : bytes.subarray((page - 1) * size, page * size),
      }
      const connection = await Connection.openPages(storage, { name: 'test' })
      connection.run("insert into note values (9999, 'more')")
      expect([size, count(connection), connection.findIntegrityErrors()]).toEqual([size, 5_001, []])
      connection.close()
      db.close()
    }
  })
})
