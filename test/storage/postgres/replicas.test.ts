import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase, type ReadTx, tables } from '../../../src/storage'
import { shareCalls } from '../../../src/storage/postgres/replicas'
import { addNote, noteMigrations, notes } from '../database-contract'
import { describeWithPostgres, type Replica } from './server'

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

describe('calls that are shared', () => {
  it('never get a result that was requested before them', async () => {
    const finish: ((value: number) => void)[] = []
    const call = shareCalls(() => new Promise<number>((resolve) => finish.push(resolve)))
    const first = call()
    const [second, third] = [call(), call()]
    expect(finish).toHaveLength(1)
    finish[0]!(1)
    expect(await first).toBe(1)
    await expect.poll(() => finish.length).toBe(2)
    finish[1]!(2)
    expect(await Promise.all([second, third])).toEqual([2, 2])
  })

  it('continue after an error', async () => {
    let count = 0
    const call = shareCalls(async () => {
      if (++count === 1) throw new Error('refused')
      return count
    })
    const [first, second] = [call(), call()]
    await expect(first).rejects.toThrow('refused')
    expect(await second).toBe(2)
  })
})
