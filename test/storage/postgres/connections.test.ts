import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { inspect } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Database, openDatabase, openLazily, tables } from '../../../src/storage'
import { openServerPool } from '../../../src/storage/postgres/pool'
import { ConnectionError } from '../../../src/storage/postgres/postgres-errors'
import { runTransaction } from '../../../src/storage/postgres/transaction'
import { freePort } from '../../free-port'
import { addNote, type NoteTables, noteMigrations, notes } from '../database-contract'
import { describeWithPostgres } from './server'
import { openWire } from './wire'

const texts = async (db: Database) => (await db.read(notes)).map(({ text }) => text)

describeWithPostgres('the connection to PostgreSQL', (server) => {
  async function wiredDatabase() {
    const address = await server().createDatabase()
    const wire = await openWire(address)
    const db = await openDatabase(wire.address, noteMigrations)
    onTestFinished(() => db.close())
    return { db, wire, address }
  }

  it('recovers without a restart when the server is available again', async () => {
    const db = await openDatabase(await server().createDatabase(), noteMigrations)
    await db.write((tx) => addNote(tx, 'before'))
    await server().kill()
    for (let i = 0; i < 3; i++) {
      await expect(db.read(notes)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
      await expect(db.write((tx) => addNote(tx, 'lost'))).rejects.toMatchObject({ code: 'unavailable' })
    }
    await server().start()
    await db.write((tx) => addNote(tx, 'after'))
    expect(await texts(db)).toEqual(['the first', 'before', 'after'])
    await db.close()
  })

  it('is opened as soon as the server is available', async () => {
    const address = await server().createDatabase()
    await server().kill()
    const db = openLazily(() => openDatabase(address, noteMigrations))
    await expect(db.read(notes)).rejects.toMatchObject({ code: 'unavailable' })
    await server().start()
    expect(await texts(db)).toEqual(['the first'])
    await db.close()
  })

  it('that was closed in the pool is replaced transparently', async () => {
    const { db, wire } = await wiredDatabase()
    wire.on('insert into "note"', 'cut before')
    await db.write((tx) => addNote(tx, 'at the second go'))
    expect(await texts(db)).toEqual(['the first', 'at the second go'])
  })

  it('that is lost repeatedly changes nothing, and the error says so', async () => {
    const { db, wire } = await wiredDatabase()
    const losing = db.write(async (tx) => {
      await addNote(tx, 'lost')
      wire.cut()
      await addNote(tx, 'never sent')
    })
    await expect(losing).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('nothing was changed'),
    })
    expect(await texts(db)).toEqual(['the first'])
  })

  it.each([
    ['before the commit', 'cut before', ['the first']],
    ['after the commit', 'cut after', ['the first', 'perhaps']],
  ] as const)(
    'that is lost at commit, %s: the change is not made twice, and its result is reported as unknown',
    async (_, fault, kept) => {
      const { db, wire, address } = await wiredDatabase()
      wire.on('commit', fault)
      let runs = 0
      const writing = db.write((tx) => {
        runs += 1
        return addNote(tx, 'perhaps')
      })
      await expect(writing).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('may or may not have been saved'),
      })
      expect(runs).toBe(1)
      const direct = await openDatabase(address, noteMigrations)
      expect(await texts(direct)).toEqual(kept)
      await direct.close()
    },
  )

  it('that times out is closed, and not used again', async () => {
    const { wire, address } = await wiredDatabase()
    const pool = openServerPool(wire.address)
    onTestFinished(() => pool.end())
    wire.on('insert into "note"', 'go silent')
    const kind = { begin: 'begin', queryTimeoutMs: 50 }
    await expect(runTransaction(pool, kind, (tx) => addNote(tx, 'unheard'))).rejects.toBeInstanceOf(ConnectionError)
    expect(await runTransaction(pool, { ...kind, queryTimeoutMs: 0 }, notes)).toHaveLength(1)
    const direct = await openDatabase(address, noteMigrations)
    expect(await texts(direct)).toEqual(['the first'])
    await direct.close()
  })

  it('is returned to the pool when a transaction fails', async () => {
    const db = await server().openDatabase(noteMigrations)
    for (let i = 0; i < 25; i++) await expect(db.read(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    for (let i = 0; i < 25; i++)
      await expect(
        db.write((tx) =>
          tables<NoteTables>(tx)
            .insertInto('note')
            .values({ id: 1 } as never)
            .execute(),
        ),
      ).rejects.toThrow()
    expect(await texts(db)).toEqual(['the first'])
  })

  it('is reused after the server rejects a commit', async () => {
    const pool = openServerPool(await server().createDatabase())
    onTestFinished(() => pool.end())
    const refused = runTransaction(pool, { begin: 'begin', queryTimeoutMs: 0 }, async (tx) => {
      await sql`select 1 / 0`.execute(tables(tx)).catch(() => {})
    })
    await expect(refused).rejects.toThrow('a failed transaction')
    expect(pool.idleCount).toBe(1)
  })

  it('is waited for if all connections are in use', async () => {
    const db = await server().openDatabase(noteMigrations)
    const seen = await Promise.all(Array.from({ length: 100 }, () => db.read(notes)))
    expect(seen.every((rows) => rows.length === 1)).toBe(true)
  })

  it('to one of several servers is made to the primary, and leaves a server that hangs when another one is the primary', async () => {
    const { wire, address } = await wiredDatabase()
    const [first, second] = [new URL(wire.address), new URL(address)]
    const port = await freePort()
    const hosts = `127.0.0.1:${port},${first.host}`
    const db = await openDatabase(`postgres://${first.username}@${hosts}${first.pathname}`, noteMigrations)
    onTestFinished(() => db.close())
    expect(await texts(db)).toEqual(['the first'])
    const standIn = createServer((client) => {
      const server = connect(Number(second.port), second.hostname)
      client
        .on('error', () => {})
        .pipe(server.on('error', () => {}))
        .pipe(client)
    })
    await new Promise<void>((resolve) => standIn.listen(port, '127.0.0.1', resolve))
    onTestFinished(() => void standIn.close())
    wire.on('insert into "note"', 'go silent')
    await db.write((tx) => addNote(tx, 'the second'))
    expect(await texts(db)).toEqual(['the first', 'the second'])
  })

  it('is refused if the address asks for a standby', async () => {
    await expect(
      openDatabase('postgres://a,b/docks?target_session_attrs=standby', noteMigrations),
    ).rejects.toMatchObject({
      code: 'invalid',
      hint: expect.stringContaining('read-write'),
    })
  })

  it('is not made without encryption if the address requires it', async () => {
    const address = `${await server().createDatabase()}?sslmode=require`
    await expect(openDatabase(address, noteMigrations)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('No secure connection'),
      hint: expect.stringContaining('sslrootcert'),
    })
  })

  it('closes after running transactions', async () => {
    const db = await openDatabase(await server().createDatabase(), noteMigrations)
    const writing = db.write((tx) => addNote(tx, 'the last'))
    await Promise.all([writing, db.close()])
    expect(await writing).toBe(2)
    await db.close()
    await expect(db.read(notes)).rejects.toMatchObject({ code: 'unavailable' })
  })

  describe('with a password', () => {
    it('is reported as wrong without being shown', async () => {
      const address = new URL(await server().createDatabase())
      await server().query("create role guarded login password 'right-horse'")
      Object.assign(address, { username: 'guarded', password: 'hunter2' })
      const refusal = await openDatabase(address.href, noteMigrations).catch((error) => error)
      expect(refusal).toMatchObject({ code: 'unavailable', hint: expect.stringContaining('PGPASSWORD') })
      expect(inspect(refusal, { depth: 9, showHidden: true })).not.toContain('hunter2')
    })

    it('does not appear in any error', async () => {
      const rude = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
      await once(rude, 'listening')
      onTestFinished(() => void rude.close())
      const { port } = rude.address() as { port: number }
      for (const place of [`127.0.0.1:${port}`, '127.0.0.1:1', 'no-such-host.invalid']) {
        const refusal = await openDatabase(`postgres://me:hunter2@${place}/db`, noteMigrations).catch((error) => error)
        expect(refusal).toMatchObject({
          code: 'unavailable',
          message: expect.stringContaining(`postgres://${place}/db`),
        })
        expect(inspect(refusal, { depth: 9, showHidden: true })).not.toContain('hunter2')
      }
    })
  })
})
