import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { StudioError } from '../../../src/kernel'
import {
  type Database,
  forUpdate,
  type Migration,
  openDatabase,
  type ReadTx,
  tables,
  type WriteTx,
} from '../../../src/storage'
import {
  addNote,
  describeDatabase,
  type NoteTables,
  noteMigrations,
  notes,
  raise,
  readValue,
  setValue,
} from '../database-contract'
import { describeWithPostgres } from './server'

/** `once` runs the function at the first call, and does nothing at later calls. */
function firstTime(once: () => Promise<unknown>): () => Promise<unknown> {
  let called = false
  return async () => {
    if (called) return
    called = true
    await once()
  }
}

/** A barrier that opens when two callers have reached it. Later callers pass immediately. */
function gate(): () => Promise<unknown> {
  let arrived = 0
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    arrived += 1
    if (arrived === 2) open()
    return opened
  }
}

describeWithPostgres('PostgreSQL', (server) => {
  const openNotes = () => server().openDatabase(noteMigrations)

  describeDatabase('postgres', (migrations) => server().openDatabase(migrations))

  it('orders text by its bytes also in a database with another collation', async (test) => {
    if (Number.parseInt(server().version, 10) < 15) test.skip('other languages need PostgreSQL 15')
    const address = await server().createDatabase("template template0 locale_provider icu icu_locale 'en-US'")
    const db = await openDatabase(address, noteMigrations)
    for (const name of ['b', 'B', 'a', 'A']) await db.write((tx) => setValue(tx, name, 1))
    const rows = await db.read((tx) =>
      tables<NoteTables>(tx).selectFrom('counter').select('name').orderBy('name').execute(),
    )
    expect(rows.map(({ name }) => name)).toEqual(['A', 'B', 'a', 'b'])
    await db.close()
  })

  it('shows readers a consistent state during writes', async () => {
    const [db, other] = await twoOnOne()
    const seen = await db.read(async (tx) => {
      const before = await notes(tx)
      await other.write((elsewhere) => addNote(elsewhere, 'meanwhile'))
      return [before.length, (await notes(tx)).length]
    })
    expect(seen).toEqual([1, 1])
  })

  it('rejects a number that it would have to round', async () => {
    const db = await openNotes()
    await expect(db.read((tx) => sql`select 9007199254740993::bigint as large`.execute(tables(tx)))).rejects.toThrow(
      '9007199254740993',
    )
  })

  it('reports text with U+0000 as invalid input, not as an internal error', async () => {
    const db = await openNotes()
    await expect(db.write((tx) => addNote(tx, 'a\u0000b'))).rejects.toMatchObject({ code: 'invalid' })
  })

  it('saves nothing and fails if the callback continues after a failed statement', async () => {
    const db = await openNotes()
    const careless = db.write(async (tx) => {
      await addNote(tx, 'lost')
      await sql`select nothing from nowhere`.execute(tables(tx)).catch(() => {})
    })
    await expect(careless).rejects.toThrow('a failed transaction')
    expect(await db.read(notes)).toHaveLength(1)
  })

  describe('a write', () => {
    it('gets the next ID at the first attempt, also if the schema inserts rows', async () => {
      const db = await openNotes()
      let runs = 0
      const id = await db.write((tx) => {
        runs += 1
        return addNote(tx, 'a')
      })
      expect({ id, runs }).toEqual({ id: 2, runs: 1 })
    })

    it('is retried from the start after a serialization failure', async () => {
      const [db, other] = await twoOnOne()
      let runs = 0
      const disturb = firstTime(() => other.write((tx) => raise(tx, 'n', 10)))
      await db.write(async (tx) => {
        runs += 1
        const value = await readValue(tx, 'n')
        await disturb()
        await setValue(tx, 'n', value + 1)
      })
      expect(runs).toBe(2)
      expect(await db.read((tx) => readValue(tx, 'n'))).toBe(11)
    })

    it('cannot cause write skew over two rows', async () => {
      const [db, other] = await twoOnOne()
      for (const name of ['here', 'there']) await db.write((tx) => setValue(tx, name, 1))
      const bothHaveRead = gate()
      const present = async (tx: ReadTx) => (await readValue(tx, 'here')) + (await readValue(tx, 'there'))
      const leave = (on: Database, name: string) =>
        on.write(async (tx) => {
          const seen = await present(tx)
          await bothHaveRead()
          if (seen > 1) await setValue(tx, name, 0)
        })
      await Promise.all([leave(db, 'here'), leave(other, 'there')])
      expect(await db.read(present)).toBe(1)
    })

    it('that loses a race fails with its own error', async () => {
      const [db, other] = await twoOnOne()
      const add = (tx: WriteTx) =>
        tables<NoteTables>(tx).insertInto('counter').values({ name: 'n', value: 1 }).execute()
      const disturb = firstTime(() => other.write(add))
      const refused = db.write(
        async (tx) => {
          if ((await readValue(tx, 'n')) > 0) throw new StudioError('conflict', 'There is one already.')
          await disturb()
          await add(tx)
        },
        { locksRows: true },
      )
      await expect(refused).rejects.toMatchObject({ code: 'conflict', message: 'There is one already.' })
    })

    it('is retried after a deadlock', async () => {
      const [db, other] = await twoOnOne()
      for (const name of ['a', 'b']) await db.write((tx) => setValue(tx, name, 0))
      const holding = gate()
      const both = async (on: Database, names: [string, string], wait: () => Promise<unknown>) =>
        on.write(
          async (tx) => {
            await forUpdate(
              tx,
              tables<NoteTables>(tx).selectFrom('counter').selectAll().where('name', '=', names[0]),
            ).execute()
            await wait()
            for (const name of names) await raise(tx, name)
          },
          { locksRows: true },
        )
      await Promise.all([both(db, ['a', 'b'], holding), both(other, ['b', 'a'], holding)])
      expect(await db.read(async (tx) => [await readValue(tx, 'a'), await readValue(tx, 'b')])).toEqual([2, 2])
    })

    it('that locks its row makes others wait, and none is retried', async () => {
      const [db, other] = await twoOnOne()
      await db.write((tx) => setValue(tx, 'n', 0))
      let runs = 0
      const one = (on: Database) =>
        on.write(
          async (tx) => {
            runs += 1
            await forUpdate(
              tx,
              tables<NoteTables>(tx).selectFrom('counter').selectAll().where('name', '=', 'n'),
            ).execute()
            return raise(tx, 'n')
          },
          { locksRows: true },
        )
      await Promise.all(Array.from({ length: 30 }, (_, i) => one(i % 2 ? db : other)))
      expect(runs).toBe(30)
      expect(await db.read((tx) => readValue(tx, 'n'))).toBe(30)
    })
  })

  describe('the schema', () => {
    it('is created once by many processes that start concurrently', async () => {
      const address = await server().createDatabase()
      const opened = await Promise.all(Array.from({ length: 6 }, () => openDatabase(address, noteMigrations)))
      expect(await opened[5]!.read(notes)).toHaveLength(1)
      await Promise.all(opened.map((db) => db.close()))
    })

    it('is migrated once by many processes that start concurrently, and preserves rows and IDs', async () => {
      const address = await server().createDatabase()
      const old = await openDatabase(address, noteMigrations)
      const gone = await old.write((tx) => addNote(tx, 'gone'))
      await old.write((tx) => tables<NoteTables>(tx).deleteFrom('note').where('id', '=', gone).execute())
      await old.close()
      const tag: Migration = {
        name: '0003-tag',
        up: (db) => db.schema.alterTable('note').addColumn('tag', 'text').execute(),
      }
      const newer = [...noteMigrations, tag]
      const opened = await Promise.all(Array.from({ length: 6 }, () => openDatabase(address, newer)))
      expect(await opened[5]!.read(notes)).toMatchObject([{ text: 'the first', tag: null }])
      expect(await opened[0]!.write((tx) => addNote(tx, 'after it'))).toBe(gone + 1)
      await Promise.all(opened.map((db) => db.close()))
    })

    it('is not changed by a failed migration', async () => {
      const address = await server().createDatabase()
      const broken: Migration = { name: '0003-broken', up: (db) => db.schema.dropTable('nowhere').execute() }
      await expect(openDatabase(address, [...noteMigrations, broken])).rejects.toThrow('nowhere')
      const db = await openDatabase(address, noteMigrations)
      expect(await db.read(notes)).toHaveLength(1)
      await db.close()
    })

    it('of a newer version is rejected', async () => {
      const address = await server().createDatabase()
      const newer = [...noteMigrations, { name: '0003-later', up: async () => {} }]
      await (await openDatabase(address, newer)).close()
      await expect(openDatabase(address, noteMigrations)).rejects.toMatchObject({ code: 'database_too_new' })
    })

    it('is created in the schema that the address names', async () => {
      const address = await server().createDatabase()
      const database = new URL(address).pathname.slice(1)
      await server().query('create schema studio', database)
      const db = await openDatabase(`${address}?options=-c%20search_path%3Dstudio`, noteMigrations)
      expect(await db.write((tx) => addNote(tx, 'there'))).toBe(2)
      await db.close()
      expect(await server().query('select id from studio.note order by id', database)).toEqual([
        { id: '1' },
        { id: '2' },
      ])
    })

    it('does not need permission to create tables once it is up to date', async () => {
      const address = new URL(await server().createDatabase())
      const database = address.pathname.slice(1)
      await (await openDatabase(address.href, noteMigrations)).close()
      await server().query(
        `create role clerk login;
         grant select, insert, update, delete on all tables in schema public to clerk;
         grant usage on all sequences in schema public to clerk`,
        database,
      )
      address.username = 'clerk'
      const db = await openDatabase(address.href, noteMigrations)
      expect(await db.write((tx) => addNote(tx, 'by the clerk'))).toBe(2)
      await db.close()
      const next: Migration = { name: '0003-next', up: (db) => db.schema.dropTable('note').execute() }
      await expect(openDatabase(address.href, [...noteMigrations, next])).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('lacks a privilege'),
      })
    })
  })

  /** Two pools on one database, as in two processes. */
  async function twoOnOne(): Promise<[Database, Database]> {
    const address = await server().createDatabase()
    const both = [await openDatabase(address, noteMigrations), await openDatabase(address, noteMigrations)] as const
    onTestFinished(async () => void (await Promise.all(both.map((db) => db.close()))))
    return [...both]
  }
})
