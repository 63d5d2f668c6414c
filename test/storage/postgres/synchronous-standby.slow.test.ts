import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { IdempotencyStore, type IdempotentCall } from '../../../src/access'
import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../src/docks/booking/operations/cancel-appointment'
import { createFacility } from '../../../src/docks/facilities/operations/create-facility'
import { type AnyOperation, execute } from '../../../src/kernel'
import { openDatabase } from '../../../src/storage'
import { openStudio } from '../../../src/studio'
import { migrations as accessMigrations } from '../../access/services/idempotency-store-tests'
import { DC1, load } from '../../docks/dock-fixtures'
import { addNote, noteMigrations, notes } from '../database-contract'
import { describeWithPostgres, type Replica } from './server'

const CALL: IdempotentCall = { tenantId: 't', method: 'POST', path: '/api/x', key: 'k', content: '{"a":1}' }

describeWithPostgres('a commit that no standby has confirmed', (server) => {
  let replica: Replica
  beforeAll(async () => {
    replica = await server().startReplica()
  })

  const requireStandbys = async (names: string) => {
    await server().query(`alter system set synchronous_standby_names = '${names}'`)
    await server().query('select pg_reload_conf()')
    await expect
      .poll(async () => server().query('show synchronous_standby_names'))
      .toMatchObject([{ synchronous_standby_names: names }])
  }

  /** From now on commits wait for a standby that is down. */
  const loseStandby = async () => {
    await replica.kill()
    await requireStandbys('*')
  }

  /** A database whose commits wait for a standby that is down. */
  async function openWithoutStandby() {
    const address = await server().createDatabase()
    const db = await openDatabase(address, [...noteMigrations, ...accessMigrations])
    onTestFinished(() => db.close())
    await loseStandby()
    const store = new IdempotencyStore(db, { now: () => 0 })
    const call = () =>
      store.call(
        CALL,
        (recorded) => recorded.write((tx) => addNote(tx, 'perhaps')),
        () => 'booked',
      )
    return { db, address, call }
  }
  beforeEach(() => async () => {
    await requireStandbys('')
    await replica.kill()
    await replica.start()
  })

  /** The process of the server whose commit waits. */
  const findWaiting = async () => {
    const find = () => server().query("select pid from pg_stat_activity where wait_event = 'SyncRep'")
    await expect.poll(find).toHaveLength(1)
    return (await find())[0].pid as number
  }
  const cancelWait = async () => server().query(`select pg_cancel_backend(${await findWaiting()})`)

  it('is an error if the wait is cancelled, also for a role that hides warnings', async () => {
    const { db, address } = await openWithoutStandby()
    const name = new URL(address).pathname.slice(1)
    for (const level of ['notice', 'error']) {
      const altering = server().query(`alter database ${name} set client_min_messages = ${level}`)
      await cancelWait()
      await altering
      const other = await openDatabase(address, [...noteMigrations, ...accessMigrations])
      const writing = other.write((tx) => addNote(tx, level)).catch((error) => error)
      await cancelWait()
      expect(await writing).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('has saved the change, but no standby has confirmed it'),
        retryAfterSeconds: 1,
      })
      await other.close()
    }
    expect((await db.read(notes)).map(({ text }) => text)).toEqual(['the first', 'notice', 'error'])
  })

  it.each([
    ['the wait was cancelled', cancelWait],
    [
      'the server was restarted',
      async () => {
        await findWaiting()
        await server().kill()
        await server().start()
      },
    ],
  ])('is confirmed to a repeated call only when a standby has it, after %s', async (_, interrupt) => {
    const { db, call } = await openWithoutStandby()
    const first = call().catch((error) => error)
    await interrupt()
    expect(await first).toMatchObject({ code: 'unavailable' })
    expect(await db.read(notes)).toHaveLength(2)

    let isAnswered = false
    const repeated = call().finally(() => {
      isAnswered = true
    })
    await findWaiting()
    expect(isAnswered).toBe(false)
    await replica.start()
    expect(await repeated).toEqual({ answer: 'booked', isReplay: true })
    expect(await db.read(notes)).toHaveLength(2)
  })

  it('is confirmed only when a standby has it, also to a repeated call that finds its change made', async () => {
    const env = { STUDIO_HOME: '/nowhere', STUDIO_DB: await server().createDatabase() }
    const studio = openStudio({ env, cwd: '/', clock: { now: () => Date.parse('2026-11-16T14:00:00Z') } })
    onTestFinished(() => studio.close())
    const run = (op: AnyOperation, input: unknown): Promise<any> =>
      execute(op, input, studio.context({ actor: { kind: 'terminal', tenant: 'default' } }))
    await run(createFacility, DC1)
    const { data } = await run(bookAppointment, load())
    await loseStandby()
    const first = run(cancelAppointment, { id: data.id }).catch((error) => error)
    await cancelWait()
    expect(await first).toMatchObject({ code: 'unavailable' })
    const repeated = run(cancelAppointment, { id: data.id })
    await findWaiting()
    await replica.start()
    expect(await repeated).toMatchObject({ message: expect.stringContaining('was already cancelled') })
  })
})
