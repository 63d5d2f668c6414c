import { EventEmitter, once } from 'node:events'
import { sql } from 'kysely'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../src/docks/booking/operations/cancel-appointment'
import { confirmHold } from '../../../src/docks/booking/operations/confirm-hold'
import { createHold } from '../../../src/docks/booking/operations/create-hold'
import { listAppointments } from '../../../src/docks/booking/operations/list-appointments'
import { rescheduleAppointment } from '../../../src/docks/booking/operations/reschedule-appointment'
import { createFacility } from '../../../src/docks/facilities/operations/create-facility'
import { type AnyOperation, execute } from '../../../src/kernel'
import { openDatabase, type ReadTx, tables } from '../../../src/storage'
import { MAX_CONNECTIONS } from '../../../src/storage/postgres/pool'
import { openStudio } from '../../../src/studio'
import { DC1, load } from '../../docks/dock-fixtures'
import { addNote, noteMigrations, notes } from '../database-contract'
import { describeWithPostgres, postgresPrograms, type Replica, startServer } from './server'
import { openWire } from './wire'

const isOnReplica = async (tx: ReadTx) =>
  (await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(tables<any>(tx))).rows[0]!.standby

describeWithPostgres('reads on replicas', (server) => {
  let replica: Replica
  beforeAll(async () => {
    replica = await server().startReplica()
  })

  async function openBoth() {
    const address = await server().createDatabase()
    const db = await openDatabase(address, noteMigrations, { replicas: replica.addressOf(address) })
    onTestFinished(() => db.close())
    return { db, address }
  }
  const mayUseReplica = true

  it('run on the replica if the call accepts it, and on the primary otherwise', async () => {
    const { db } = await openBoth()
    await expect.poll(() => db.read(isOnReplica, { mayUseReplica })).toBe(true) // it may have to catch up first
    expect(await db.read(isOnReplica)).toBe(false)
    expect(await db.write(isOnReplica)).toBe(false)
  })

  it('see every change that was committed before, also by another process', async () => {
    const { db, address } = await openBoth()
    const other = await openDatabase(address, noteMigrations)
    onTestFinished(() => other.close())
    for (let i = 0; i < 50; i++) {
      await (i % 2 === 0 ? db : other).write((tx) => addNote(tx, `note ${i}`))
      expect(await db.read(notes, { mayUseReplica })).toHaveLength(i + 2)
    }
  })

  it('run on the primary while the replica does not keep up', async () => {
    const { db } = await openBoth()
    await db.read(isOnReplica, { mayUseReplica })
    await replica.query('select pg_wal_replay_pause()')
    onTestFinished(async () => void (await replica.query('select pg_wal_replay_resume()')))
    await db.write((tx) => addNote(tx, 'not replayed'))
    const seen = await db.read(async (tx) => [await isOnReplica(tx), (await notes(tx)).length], { mayUseReplica })
    expect(seen).toEqual([false, 2])
  })

  it('run on the primary while the replica is down, and on the replica when it is back', async () => {
    const { db } = await openBoth()
    await db.read(isOnReplica, { mayUseReplica })
    await replica.kill()
    expect(await db.read(isOnReplica, { mayUseReplica })).toBe(false)
    await replica.start()
    await expect.poll(() => db.read(isOnReplica, { mayUseReplica })).toBe(true)
  })

  it('run on the replica after connections were lost at the end of checks', async () => {
    const address = await server().createDatabase()
    const wire = await openWire(replica.addressOf(address))
    const db = await openDatabase(address, noteMigrations, { replicas: wire.address })
    onTestFinished(() => db.close())
    const inspect = async () => (await db.inspectServer!())!.replicas[0]
    await expect.poll(inspect).toMatchObject({ state: 'ready' })
    for (let i = 0; i < MAX_CONNECTIONS; i++) {
      wire.on('rollback', 'cut before')
      await inspect()
    }
    await expect.poll(inspect).toMatchObject({ state: 'ready' })
  })

  it('wait for a change that the primary confirmed without writing it to the disk', async () => {
    const { db, address } = await openBoth()
    const name = new URL(address).pathname.slice(1)
    await server().query(`alter database ${name} set synchronous_commit = off`)
    const lazy = await openDatabase(address, noteMigrations, { replicas: replica.addressOf(address) })
    onTestFinished(() => lazy.close())
    for (let i = 0; i < 20; i++) {
      await lazy.write((tx) => addNote(tx, `note ${i}`))
      expect(await lazy.read(notes, { mayUseReplica })).toHaveLength(i + 2)
    }
    expect(await db.read(notes)).toHaveLength(21)
  })

  const stateOfReplica = async (address: string, replicas: string) => {
    const db = await openDatabase(address, noteMigrations, { replicas })
    onTestFinished(() => db.close())
    expect(await db.read(isOnReplica, { mayUseReplica })).toBe(false)
    return (await db.inspectServer!())!.replicas[0]
  }

  it('never run on another database, another schema or another cluster', async () => {
    const { address, db } = await openBoth()
    const [other] = [await server().createDatabase()]
    await (await openDatabase(other, noteMigrations)).close()
    await server().query('create schema elsewhere', new URL(address).pathname.slice(1))
    const schema = '?options=-c%20search_path%3Delsewhere'
    await (await openDatabase(`${address}${schema}`, noteMigrations)).close()
    const cluster = await startServer(postgresPrograms()!)
    onTestFinished(() => cluster.remove())
    const foreign = await cluster.startReplica()
    for (let i = 0; i < 3; i++) await cluster.query('select pg_switch_wal(), txid_current()') // it must seem to be ahead
    const name = new URL(address).pathname.slice(1)
    await cluster.query(`create database ${name}`)
    await (await openDatabase((await cluster.createDatabase()).replace(/test_\d+$/, name), noteMigrations)).close()
    for (const replicas of [
      replica.addressOf(other),
      `${replica.addressOf(address)}${schema}`,
      foreign.addressOf(address),
    ])
      await expect.poll(() => stateOfReplica(address, replicas)).toMatchObject({ state: 'other database' })
    await db.write((tx) => addNote(tx, 'still there'))
    expect(await db.read(notes, { mayUseReplica })).toHaveLength(2)
  })

  it('run on the primary if the replica is one, refuses the role, or does not let it read', async () => {
    const { address } = await openBoth()
    expect(await stateOfReplica(address, address)).toMatchObject({ state: 'no replica' })
    await server().query("create role guarded login password 'secret'")
    const guarded = new URL(replica.addressOf(address))
    Object.assign(guarded, { username: 'guarded', password: 'wrong' })
    await expect
      .poll(() => stateOfReplica(address, guarded.href))
      .toMatchObject({ state: 'unavailable', cause: { code: '28P01' } })
    await server().query('create role stranger login')
    const db = await openDatabase(address, noteMigrations, {
      replicas: replica.addressOf(address).replace('studio_test', 'stranger'),
    })
    onTestFinished(() => db.close())
    for (let i = 0; i < 3; i++) expect(await db.read(notes, { mayUseReplica })).toHaveLength(1)
  })

  it('leave a replica that hangs, and do not wait for it again', async () => {
    const { address } = await openBoth()
    const wire = await openWire(replica.addressOf(address))
    const db = await openDatabase(address, noteMigrations, { replicas: wire.address })
    onTestFinished(() => db.close())
    await expect.poll(() => db.read(isOnReplica, { mayUseReplica })).toBe(true)
    wire.on('begin', 'go silent')
    expect(await db.read(isOnReplica, { mayUseReplica })).toBe(false)
    expect(await db.read(isOnReplica, { mayUseReplica })).toBe(false)
    await expect.poll(() => db.read(isOnReplica, { mayUseReplica })).toBe(true)
  })

  it('keep using a replica that does not answer one of them while it answers others', async () => {
    const { address } = await openBoth()
    const wire = await openWire(replica.addressOf(address))
    const db = await openDatabase(address, noteMigrations, { replicas: wire.address })
    onTestFinished(() => db.close())
    await expect.poll(() => db.read(isOnReplica, { mayUseReplica })).toBe(true)
    const first = new EventEmitter()
    const readFirst = db.read(
      async (tx) => {
        await isOnReplica(tx)
        first.emit('runs')
        await once(first, 'may end')
      },
      { mayUseReplica },
    )
    await once(first, 'runs')
    wire.takeSent()
    wire.on('begin', 'go silent')
    const readSecond = db.read(isOnReplica, { mayUseReplica })
    await expect.poll(() => wire.takeSent()).toContain('begin')
    first.emit('may end')
    await readFirst
    expect(await readSecond).toBe(false)
    expect(await db.read(isOnReplica, { mayUseReplica })).toBe(true)
  })

  it('pass on the errors of the work', async () => {
    const { db } = await openBoth()
    const refused = new Error('refused')
    await expect(db.read(() => Promise.reject(refused), { mayUseReplica })).rejects.toBe(refused)
  })

  it('do not run on a replica that has become a primary of its own', async () => {
    const { db } = await openBoth()
    await db.read(isOnReplica, { mayUseReplica })
    await replica.query('select pg_promote()')
    await db.write((tx) => addNote(tx, 'after the split'))
    expect(await db.read(notes, { mayUseReplica })).toHaveLength(2)
  })
})

describeWithPostgres('a booking', (server) => {
  it('reads and writes on the primary only, and lists read on the replica', async () => {
    const replica = await server().startReplica()
    const address = await server().createDatabase()
    const [primaryWire, replicaWire] = [await openWire(address), await openWire(replica.addressOf(address))]
    const env = { STUDIO_HOME: '/nowhere', STUDIO_DB: primaryWire.address, STUDIO_DB_READ: replicaWire.address }
    const studio = openStudio({ env, cwd: '/', clock: { now: () => Date.parse('2026-11-16T14:00:00Z') } })
    onTestFinished(() => studio.close())
    const run = (op: AnyOperation, input: unknown): Promise<any> =>
      execute(op, input, studio.context({ actor: { kind: 'terminal', tenant: 'default' } }))
    await run(createFacility, DC1)
    const { data } = await run(bookAppointment, load())
    await run(rescheduleAppointment, { id: data.id, targetDate: '2026-11-18' })
    const place = { facilityCode: 'DC1', type: 'delivery', startTime: '2026-11-19T09:00', durationMinutes: 60 }
    const held = await run(createHold, place)
    await run(confirmHold, { id: held.data.id, carrierName: 'Acme', referenceNumber: 'H-1' })
    await run(cancelAppointment, { id: data.id })
    expect(primaryWire.takeSent()).toContain('insert into "appointment"')
    expect(replicaWire.takeSent()).toBe('')
    const list = { facilityCode: 'DC1', startDate: '2026-11-18', endDate: '2026-11-19' }
    await expect
      .poll(async () => {
        primaryWire.takeSent()
        expect(await run(listAppointments, list)).toHaveLength(2)
        return /from "appointment"/.test(replicaWire.takeSent()) && !/from "appointment"/.test(primaryWire.takeSent())
      })
      .toBe(true)
  })
})
