import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Database, openDatabase, precompileQuery, type ReadTx, tables } from '../../../src/storage'
import { openServerPool } from '../../../src/storage/postgres/pool'
import { rowLockingWrite, runTransaction } from '../../../src/storage/postgres/transaction'
import { addNote, type NoteTables, noteMigrations, notes, readValue } from '../database-contract'
import { describeWithPostgres } from './server'
import { openWire } from './wire'

const noteTables = (tx: ReadTx) => tables<NoteTables>(tx)

const insertNote = precompileQuery((tx, { id, text }: { id: number; text: string }) =>
  noteTables(tx).insertInto('note').values({ id, text, done: 0 }),
)
const listNotes = precompileQuery((tx, { done }: { done: number }) =>
  noteTables(tx).selectFrom('note').selectAll().where('done', '=', done).orderBy('id'),
)

const texts = async (db: Database) => (await db.read(notes)).map(({ text }) => text)

describeWithPostgres('a transaction on PostgreSQL', (server) => {
  const openNotes = () => server().openDatabase(noteMigrations)

  async function wiredDatabase() {
    const address = await server().createDatabase()
    const wire = await openWire(address)
    const db = await openDatabase(wire.address, noteMigrations)
    onTestFinished(() => db.close())
    return { db, wire, address }
  }

  async function createNotes() {
    const address = await server().createDatabase()
    await (await openDatabase(address, noteMigrations)).close()
    const pool = openServerPool(address)
    onTestFinished(() => pool.end())
    return { pool, address }
  }

  it('changes nothing if it cannot begin', async () => {
    const { pool } = await createNotes()
    const kind = { begin: 'begin nothing', queryTimeoutMs: 0 }
    await expect(runTransaction(pool, kind, (tx) => insertNote(tx, { id: 7, text: 'stray' }))).rejects.toThrow('syntax')
    await expect(runTransaction(pool, kind, (tx) => insertNote.later(tx, { id: 8, text: 'stray' }))).rejects.toThrow(
      'syntax',
    )
    await expect(runTransaction(pool, kind, (tx) => listNotes(tx, { done: 0 }))).rejects.toThrow('syntax')
    await expect(runTransaction(pool, { ...kind, isReadOnly: true }, async () => {})).rejects.toThrow('syntax')
    const found = await runTransaction(pool, rowLockingWrite, notes)
    expect(found.map(({ text }) => text)).toEqual(['the first'])
  })

  it('refuses a statement that its work sends after it has failed', async () => {
    const db = await openNotes()
    let late: Promise<unknown> = Promise.resolve()
    const writing = db.write(async (tx) => {
      await notes(tx)
      late = listNotes(tx, { done: 0 }).then(() => insertNote(tx, { id: 2, text: 'stray' }))
      late.catch(() => {})
      throw new Error('the work failed')
    })
    await expect(writing).rejects.toThrow('the work failed')
    await expect(late).rejects.toThrow('after the end of its transaction')
    expect(await texts(db)).toEqual(['the first'])
  })

  describe('with a statement that it does not wait for', () => {
    it('saves it, and shows it to its later statements', async () => {
      const db = await openNotes()
      const seen = await db.write(async (tx) => {
        await insertNote.later(tx, { id: 2, text: 'the second' })
        return notes(tx)
      })
      expect(seen.map(({ text }) => text)).toEqual(['the first', 'the second'])
      expect(await texts(db)).toEqual(['the first', 'the second'])
    })

    it('saves nothing if it fails, and throws its error, not that of what follows', async () => {
      const db = await openNotes()
      const refused = (after: (tx: ReadTx) => Promise<unknown>) =>
        db.write(async (tx) => {
          await addNote(tx, 'lost')
          await insertNote.later(tx, { id: 1, text: 'a duplicate' })
          await after(tx)
        })
      await expect(refused(async () => {})).rejects.toMatchObject({ code: '23505' })
      await expect(refused((tx) => readValue(tx, 'n'))).rejects.toMatchObject({ code: '23505' })
      expect(await texts(db)).toEqual(['the first'])
    })

    it('throws the error of the first of several that failed', async () => {
      const db = await openNotes()
      const writing = db.write(async (tx) => {
        await insertNote.later(tx, { id: 2, text: 'lost' })
        await insertNote.later(tx, { id: 1, text: 'a duplicate' })
        await insertNote.later(tx, { id: 3, text: 'lost' })
        await insertNote.later(tx, { id: 4, text: 'lost' })
      })
      await expect(writing).rejects.toMatchObject({ code: '23505' })
      expect(await texts(db)).toEqual(['the first'])
    })

    it('does not report success if the driver could not send it', async () => {
      const db = await openNotes()
      const unsendable = {
        toPostgres() {
          throw new Error('the value has no form')
        },
      } as unknown as string
      const writing = db.write((tx) => insertNote.later(tx, { id: 2, text: unsendable }))
      await expect(writing).rejects.toThrow('the value has no form')
    })

    it('runs again if another transaction has added the same row, and then sees it', async () => {
      const address = await server().createDatabase()
      const [db, other] = await Promise.all([1, 2].map(() => openDatabase(address, noteMigrations)))
      onTestFinished(async () => void (await Promise.all([db!.close(), other!.close()])))
      let runs = 0
      await db!.write(
        async (tx) => {
          const taken = (await notes(tx)).length
          if (++runs === 1) await other!.write((theirs) => insertNote(theirs, { id: 2, text: 'theirs' }))
          await insertNote.later(tx, { id: taken + 1, text: 'mine' })
        },
        { locksRows: true },
      )
      expect(runs).toBe(2)
      expect(await texts(db!)).toEqual(['the first', 'theirs', 'mine'])
    })

    it.each([
      ['before the server has it', 'cut before', ['the first']],
      ['when the server has it and the commit', 'cut after', ['the first', 'perhaps']],
    ] as const)('reports its result as unknown if the connection is lost %s', async (_, fault, saved) => {
      const { db, wire, address } = await wiredDatabase()
      let runs = 0
      const writing = db.write(async (tx) => {
        runs += 1
        await readValue(tx, 'n')
        wire.on('insert into "note"', fault)
        await insertNote.later(tx, { id: 2, text: 'perhaps' })
      })
      await expect(writing).rejects.toMatchObject({
        message: expect.stringContaining('may or may not have been saved'),
      })
      expect(runs).toBe(1)
      const direct = await openDatabase(address, noteMigrations)
      onTestFinished(() => direct.close())
      await expect.poll(() => texts(direct)).toEqual(saved)
    })
  })

  it('prepares its statements, and prepares them again when a table has changed', async () => {
    const { db, wire, address } = await wiredDatabase()
    const read = () => Promise.all(Array.from({ length: 20 }, () => db.read((tx) => listNotes(tx, { done: 0 }))))
    await read()
    await read()
    wire.takeSent()
    await read()
    expect(wire.takeSent()).not.toContain('from "note"')
    const other = new pg.Client({ connectionString: address })
    await other.connect()
    await other.query('alter table note add column color text')
    await other.end()
    for (const rows of await read()) expect(rows).toMatchObject([{ text: 'the first', color: null }])
  })
})
