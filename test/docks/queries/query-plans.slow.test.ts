import { sql } from 'kysely'
import { expect, it } from 'vitest'
import * as queries from '../../../src/docks/queries'
import { type Database, openMemoryDatabase, tables } from '../../../src/storage'
import { migrations } from '../../../src/studio'
import { describeWithPostgres } from '../../storage/postgres/server'
import { addPastAppointments } from '../archive/queries/past-appointments'
import { listQueryCalls, WITHOUT_STATEMENT } from './query-calls'
import { recordPlans } from './record-plans'

/** Tables with a row for each appointment, and the other names that statements give them. */
const LARGE = /^(appointment|appointment_change|imported_row|series_occurrence|webhook_delivery|due|earlier)(_|$)/
/** What reads all of its table, and why that is right. */
const MAY_SCAN = new Map([
  ['countEndedAppointments', 'compares all appointments of a facility with the events that are not delivered'],
  ['listWebhooks', 'counts the deliveries of the webhooks of a tenant'],
  ['listDeadDeliveries', 'lists all that were given up'],
  ['findLastChange', 'reads one entry at the end of an index'],
])

/** Statements that read a large table without a lookup, by the query that sends them. */
async function findScans(db: Database): Promise<string[]> {
  const found: string[] = []
  for (const [name, call] of Object.entries(await listQueryCalls(db))) {
    if (MAY_SCAN.has(name)) continue
    const plans = await recordPlans(db, call)
    expect([name, plans.length]).not.toEqual([name, 0])
    for (const { sql, scanned } of plans)
      if (scanned.some((table) => LARGE.test(table))) found.push(`${name} reads all of ${scanned}: ${sql}`)
  }
  return found
}

it('look up what they need in a file, and are all among those that are checked', async () => {
  const db = await openMemoryDatabase(migrations)
  await addPastAppointments(db, { facilities: 4, each: 210 })
  const functions = Object.entries(queries).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
  expect(Object.keys(await listQueryCalls(db)).sort()).toEqual(
    functions.filter((name) => !WITHOUT_STATEMENT.includes(name)).sort(),
  )
  expect(await findScans(db)).toEqual([])
  await db.close()
})

describeWithPostgres('the queries of the docks on PostgreSQL', (server) => {
  it('look up what they need in tables that are large enough to make a scan expensive', async () => {
    const db = await server().openDatabase(migrations)
    await addPastAppointments(db, { facilities: 40, each: 1_000 })
    expect(await findScans(db)).toEqual([])
  })

  it('refer to appointments and changes by columns that have an index, so that removing one is a lookup', async () => {
    const db = await server().openDatabase(migrations)
    const find = sql<{ name: string }>`
      select conname as name from pg_constraint where contype = 'f'
        and confrelid in ('appointment'::regclass, 'appointment_change'::regclass) and not exists (
          select 1 from pg_index where indrelid = conrelid and indkey[0] = conkey[1])`
    expect((await db.read((tx) => find.execute(tables<any>(tx)))).rows).toEqual([])
  })
})
