import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { accessMigration } from '../../../../src/access'
import { docksMigration } from '../../../../src/docks'
import {
  deleteDeliveries,
  findWaitlistEvents,
  insertWaitlistEvent,
  insertWebhook,
  listDueDeliveries,
} from '../../../../src/docks/queries'
import { tables } from '../../../../src/storage'
import { describeWithPostgres } from '../../../storage/postgres/server'
import { NOW } from '../../dock-fixtures'
import { createDeferred, newWebhook } from '../webhook-fixtures'

describeWithPostgres('an event of the waitlist on PostgreSQL', (server) => {
  it('is removed when two webhooks accept it at the same time', async () => {
    const db = await server().openDatabase([accessMigration, docksMigration])
    await db.write(async (tx) => {
      await tables<any>(tx).insertInto('tenant').values({ id: 'acme', name: 'acme', created_at: NOW }).execute()
      for (const id of ['first', 'second']) await insertWebhook(tx, newWebhook({ id, tenant_id: 'acme' }))
      await insertWaitlistEvent(tx, {
        tenantId: 'acme',
        facilityId: 'dc1',
        carrierName: 'Blue Freight',
        entryId: 'entry',
        type: 'waitlist.offered',
        at: NOW,
        event: '{}',
      })
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
