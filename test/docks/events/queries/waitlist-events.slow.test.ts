import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { accessMigration } from '../../../../src/access'
import { docksMigration } from '../../../../src/docks'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { createFacility } from '../../../../src/docks/facilities/operations/create-facility'
import {
  deleteDeliveries,
  deleteWebhook,
  findWaitlistEvents,
  insertChange,
  insertWaitlistEvent,
  insertWebhook,
  listDueDeliveries,
} from '../../../../src/docks/queries'
import { type Database, tables, type WriteTx } from '../../../../src/storage'
import { migrations } from '../../../../src/studio'
import { describeWithPostgres } from '../../../storage/postgres/server'
import { runOn } from '../../../storage/run-on-database'
import { DC1, load, NOW } from '../../dock-fixtures'
import { createDeferred, newWebhook } from '../webhook-fixtures'

const OFFERED = {
  tenantId: 'acme',
  facilityId: 'dc1',
  carrierName: 'Blue Freight',
  entryId: 'entry',
  type: 'waitlist.offered',
  at: NOW,
  event: '{}',
} as const

describeWithPostgres('an event of the waitlist on PostgreSQL', (server) => {
  it('is removed when two webhooks accept it at the same time', async () => {
    const db = await server().openDatabase([accessMigration, docksMigration])
    await db.write(async (tx) => {
      await tables<any>(tx).insertInto('tenant').values({ id: 'acme', name: 'acme', created_at: NOW }).execute()
      for (const id of ['first', 'second']) await insertWebhook(tx, newWebhook({ id, tenant_id: 'acme' }))
      await insertWaitlistEvent(tx, OFFERED)
    })
    const [due] = await db.read((tx) => listDueDeliveries(tx, 'first', { now: NOW, limit: 1 }))
    const hasDeleted = createDeferred<void>()
    const isSecondOver = createDeferred<void>()
    const first = db.write(
      async (tx) => {
        await deleteDeliveries(tx, 'first', [due!])
        hasDeleted.resolve()
        // The second one waits for this transaction. If it did not, it would be over by then.
        await Promise.race([isSecondOver.promise, sleep(500)])
      },
      { locksRows: true },
    )
    await hasDeleted.promise
    await db.write((tx) => deleteDeliveries(tx, 'second', [due!]), { locksRows: true })
    isSecondOver.resolve()
    await first
    expect(await db.read((tx) => findWaitlistEvents(tx, [due!.eventId]))).toEqual([])
  })
})

describeWithPostgres('an event on PostgreSQL whose webhook is removed while it is written', (server) => {
  async function writeWhileRemoved(db: Database, write: (tx: WriteTx) => Promise<void>) {
    const hasWritten = createDeferred<void>()
    const isRemoved = createDeferred<void>()
    const writing = db.write(
      async (tx) => {
        await write(tx)
        hasWritten.resolve()
        // The removal waits for this transaction. If it did not, it would be over by then.
        await Promise.race([isRemoved.promise, sleep(500)])
      },
      { locksRows: true },
    )
    await hasWritten.promise
    await db.write((tx) => deleteWebhook(tx, 'first'), { locksRows: true })
    isRemoved.resolve()
    await writing
  }

  it('is not left, if it is of an appointment', async () => {
    const db = await server().openDatabase(migrations)
    await runOn(db, createFacility, DC1)
    const { data } = await runOn(db, bookAppointment, load())
    await db.write(async (tx) => {
      const { tenant_id } = await tables<any>(tx).selectFrom('facility').select('tenant_id').executeTakeFirstOrThrow()
      await insertWebhook(tx, newWebhook({ id: 'first', tenant_id }))
    })
    await writeWhileRemoved(db, (tx) =>
      insertChange(tx, data.id, { kind: 'updated', at: NOW, caller: { id: 'terminal', name: null } }),
    )
    expect(await db.read((tx) => listDueDeliveries(tx, 'first', { now: NOW, limit: 1 }))).toEqual([])
  })

  it('is not left, if it is of the waitlist', async () => {
    const db = await server().openDatabase([accessMigration, docksMigration])
    await db.write(async (tx) => {
      await tables<any>(tx).insertInto('tenant').values({ id: 'acme', name: 'acme', created_at: NOW }).execute()
      await insertWebhook(tx, newWebhook({ id: 'first', tenant_id: 'acme' }))
    })
    await writeWhileRemoved(db, (tx) => insertWaitlistEvent(tx, OFFERED))
    expect(await db.read((tx) => listDueDeliveries(tx, 'first', { now: NOW, limit: 1 }))).toEqual([])
    expect(await db.read((tx) => findWaitlistEvents(tx, [1]))).toEqual([])
  })
})
